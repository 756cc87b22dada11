import { mayFallBack } from "../decide/apply-children.ts"
import type { RunState } from "../state/state.ts"

/** Roots of this process whose task another one has by now, for whoever holds on to the first. */
export class Successors {
  readonly #next = new Map<string, string>()
  readonly #stopped = new Set<string>()

  add(run: string, next: string): void {
    this.#next.set(run, next)
  }

  /** The one that has the task now. Nobody gets it after that. */
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
    if (next !== undefined) this.forget(next)
  }
}

/** Whether another agent is to get its task. */
export const isFollowed = ({ start, end }: RunState): boolean =>
  end !== undefined && mayFallBack(end.outcome) && (start?.fallback?.next.length ?? 0) > 0
