import { setTimeout } from "node:timers/promises"
import { fold } from "../../src/run/begin/load.ts"
import type { Store } from "../../src/run/log/store.ts"
import { hasWorkInProgress } from "../../src/run/state/state.ts"

/** Counts the kills of each working run since its last result. */
export class Streaks {
  readonly #store: Store
  readonly #runs = new Map<string, { readonly results: number; readonly streak: number }>()

  constructor(store: Store) {
    this.#store = store
  }

  /** To be told of every kill. */
  async count(): Promise<void> {
    const root = await rootIn(this.#store)
    if (root === undefined) return
    for await (const { run } of this.#store.list({ root })) {
      const before = this.#runs.get(run)
      const results = await this.#resultsOf(run)
      const streak = before?.results === results ? before.streak : 0
      const state = (await fold(this.#store, run))?.state
      this.#runs.set(run, { results, streak: state && hasWorkInProgress(state) ? streak + 1 : streak })
    }
  }

  /** Runs that must get somewhere before the next kill. */
  stuck(): readonly string[] {
    return [...this.#runs].filter(([, { streak }]) => streak >= maxStreak).map(([run]) => run)
  }

  /** Until each of them has got somewhere, or the worker is gone. */
  async moved(runs: readonly string[], signal: AbortSignal): Promise<void> {
    for (const run of runs)
      while (!signal.aborted && (await this.#resultsOf(run)) === this.#runs.get(run)!.results)
        await setTimeout(5)
  }

  async #resultsOf(run: string): Promise<number> {
    let results = 0
    for await (const { type } of this.#store.read(run))
      if (["model-end", "model-retry", "tool-end", "child-end", "run-end"].includes(type)) results++
    return results
  }
}

/** The runtime gives a run up after more than three deaths in a row without a result. */
const maxStreak = 2

export async function rootIn(store: Store): Promise<string | undefined> {
  for await (const { run } of store.list()) return run
  return undefined
}
