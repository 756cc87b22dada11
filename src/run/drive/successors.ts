import { mayTryFallback } from "../decide/apply-children.ts"
import type { RunState } from "../state/state.ts"

/** Maps a failed root of this process to the root that has its task now, for callers that hold the first one. */
export class Successors {
  readonly #next = new Map<string, string>()
  readonly #stopped = new Set<string>()
  readonly #released = new Map<string, string>()

  add(run: string, next: string): void {
    this.#next.set(run, next)
  }

  /** Returns the root that has the task now. This process lets go of it, and begins no fallback. */
  letGo(run: string, reason: string): string {
    const next = this.#next.get(run)
    if (next !== undefined) return this.letGo(next, reason)
    this.#released.set(run, reason)
    return run
  }

  /** The reason why this process lets go of a root. Undefined: it does not. */
  releaseOf(run: string): string | undefined {
    return this.#released.get(run)
  }

  /** Returns the root that has the task now. No fallback gets the task after that. */
  stop(run: string): string {
    const next = this.#next.get(run)
    if (next !== undefined) return this.stop(next)
    this.#stopped.add(run)
    return run
  }

  isStopped(run: string): boolean {
    return this.#stopped.has(run)
  }

  forget(run: string): void {
    const next = this.#next.get(run)
    this.#next.delete(run)
    this.#stopped.delete(run)
    this.#released.delete(run)
    if (next !== undefined) this.forget(next)
  }
}

/** True if another agent has to get the task of an ended run. */
export const needsSuccessor = ({ start, end }: RunState): boolean =>
  end !== undefined && mayTryFallback(end.outcome) && (start?.fallback?.next.length ?? 0) > 0
