import { rootOf } from "../log/id.ts"

/**
 * The model calls of a tree that hold a reservation in this process. Each will return most of it when it
 * settles. Runs that are refused meanwhile wait in line. The order is first come, first served, even if a
 * later run needs less.
 */
export class Reservations {
  /** The number of settled calls. A refusal from before the last one is out of date. */
  settlements = 0
  readonly #holders = new Set<string>()
  /** The waiting runs, in the order in which they came. */
  readonly #line = new Map<string, Waiting>()

  /**
   * Called before the reservation is asked for: a run that is refused meanwhile must know that it may come
   * free.
   */
  hold(run: string): void {
    this.#holders.add(run)
  }

  /**
   * The reservation was refused, so nothing came free. Runs that only waited for it have nothing to wait for
   * now.
   */
  drop(run: string): void {
    this.#holders.delete(run)
    this.#call(({ short }) => !this.isHeldBelow(short))
  }

  /** The actual usage of the call is recorded. */
  settle(run: string): void {
    this.#holders.delete(run)
    this.settlements++
    this.#line.delete(run)
    this.#call(() => true)
  }

  /** True if a call at or below `run` is in flight. */
  isHeldBelow(run: string): boolean {
    for (const holder of this.#holders) if (isWithin(holder, run)) return true
    return false
  }

  /** The run whose allowance an earlier run in line waits for, if this run needs the same allowance. */
  shortBefore(run: string): string | undefined {
    for (const [other, { short }] of this.#line) {
      if (other === run) return undefined
      if (isWithin(run, short)) return short
    }
    return undefined
  }

  /**
   * Waits for the allowance of `short`, in its current place in line or as the last. `wake` is called once,
   * when the run may try again. The run keeps its place until it leaves.
   */
  wait(run: string, short: string, wake: () => void): void {
    const waiting = this.#line.get(run)
    if (!waiting) this.#line.set(run, { short, wake })
    else {
      waiting.short = short
      waiting.wake = wake
    }
  }

  /** The run has its reservation, or no longer needs it. False where it was not in line. */
  leave(run: string): boolean {
    const wasInLine = this.#line.delete(run)
    if (wasInLine) this.#call(() => true)
    return wasInLine
  }

  /** Calls the eligible runs that no run in line comes before. */
  #call(isEligible: (waiting: Waiting) => boolean): void {
    const before: string[] = []
    const called: Waiting[] = []
    for (const [run, waiting] of this.#line) {
      if (!before.some((short) => isWithin(run, short)) && isEligible(waiting)) called.push(waiting)
      // The root's allowance is needed by every run of the tree.
      if (waiting.short === rootOf(waiting.short)) break
      before.push(waiting.short)
    }
    for (const waiting of called) {
      const { wake } = waiting
      waiting.wake = undefined
      wake?.()
    }
  }
}

interface Waiting {
  short: string
  /** Undefined where the run was called already. */
  wake: (() => void) | undefined
}

const isWithin = (run: string, above: string): boolean => run === above || run.startsWith(`${above}.`)
