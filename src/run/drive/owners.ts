import { defaultLimits } from "../../ground/limits.ts"
import { startOf } from "../begin/load.ts"
import { refusalError } from "../decide/record.ts"
import { parentOf, rootOf } from "../log/id.ts"
import { isRefusal } from "../log/store.ts"
import type { Environment } from "../ports/environment.ts"
import { OwnedTree } from "./tree.ts"

export interface OwnOptions {
  readonly maxConcurrency?: number | undefined
  readonly force?: true
  readonly repair?: true
}

/** The trees this process owns, from their claim until they are given up. */
export class Owners {
  readonly #environment: Environment
  readonly #trees = new Map<string, Promise<OwnedTree>>()
  /** Whether the store gives each run an owner of its own; its first claim tells. */
  #perRun = false

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Puts a run to work, under a new claim where the one there is was just being given up. */
  async drive(run: string, options: OwnOptions = {}): Promise<OwnedTree> {
    for (;;) {
      const tree = await this.#own(run, options)
      if (tree.covers(run)) {
        tree.dispatch(run)
        return tree
      }
      await tree.closed
    }
  }

  /** The tree of a run, if there is one. It may be closing: ask whether it covers the run in the same step as you use it. */
  async find(run: string): Promise<OwnedTree | undefined> {
    return this.#trees.get(this.#keyOf(run))?.catch(() => undefined)
  }

  /** Runs whose parent ended without them, in a process that died before it could tell them. */
  async cancelOrphans(tree: OwnedTree): Promise<void> {
    const ended = new Set<string>()
    for await (const head of this.#environment.store.list({ root: rootOf(tree.claim.run) })) {
      if (head.status === "ended") ended.add(head.run)
      else if (ended.has(parentOf(head.run) ?? ""))
        tree.post(head.run, `${head.run}:cancel`, { type: "cancel", reason: "its parent has ended" })
    }
  }

  /** Stops driving all of them; their runs can be resumed. */
  async stop(error: unknown): Promise<void> {
    for (const opening of this.#trees.values()) {
      const tree = await opening.catch(() => undefined)
      tree?.fail(error)
      await tree?.closed.catch(() => {})
    }
  }

  #keyOf(run: string): string {
    return this.#perRun ? run : rootOf(run)
  }

  #own(run: string, options: OwnOptions): Promise<OwnedTree> {
    const key = this.#keyOf(run)
    const known = this.#trees.get(key)
    if (known) return known
    const opening = this.#claim(run, options)
    const forget = () => {
      if (this.#trees.get(key) === opening) this.#trees.delete(key)
    }
    opening.then((tree) => tree.closed.then(forget, forget), forget)
    this.#trees.set(key, opening)
    return opening
  }

  async #claim(run: string, { maxConcurrency, ...options }: OwnOptions): Promise<OwnedTree> {
    const { store } = this.#environment
    const claim = await store.claim(run, options)
    if (isRefusal(claim)) throw refusalError(run, claim)
    this.#perRun = claim.covers === "run"
    // Before a repair nobody could read it.
    const limit = options.repair ? (await startOf(store, rootOf(run))).limits?.maxConcurrency : maxConcurrency
    const tree = new OwnedTree(this.#environment, claim, limit ?? defaultLimits.maxConcurrency, (other) => {
      // Whoever owns it drives it: a refusal here is somebody else at work.
      this.drive(other).catch(() => {})
    })
    await tree.open().catch(async (error) => {
      await store.release(claim)
      throw error
    })
    return tree
  }
}
