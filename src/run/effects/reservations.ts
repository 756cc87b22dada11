import { getRootRun } from "../log/id.ts"

/**
 * The model calls of this process that have reserved a part of an allowance. A call that ends returns the part
 * that it did not use. A run whose reservation is refused waits in line until then. The order is first come,
 * first served, even if a later run needs less.
 */
export class Reservations {
  /** The number of calls that have ended. If it has changed since a refusal, the run should ask again. */
  settlements = 0
  readonly #holders = new Set<string>()
  /** The waiting runs, in the order in which they came. */
  readonly #line = new Map<string, Waiting>()

  /**
   * Call it before you ask for a reservation. Another run that is refused at the same time must see that an
   * allowance may become free.
   */
  hold(run: string): void {
    this.#holders.add(run)
  }

  /**
   * Call it if the reservation was refused. No allowance became free. Runs that waited only for this one are
   * woken, because they would wait forever.
   */
  drop(run: string): void {
    this.#holders.delete(run)
    this.#wakeNext(({ short }) => !this.isHeldBelow(short))
  }

  /** Call it when the log has the actual usage of the call. Waiting runs are woken. */
  settle(run: string): void {
    this.#holders.delete(run)
    this.settlements++
    this.#line.delete(run)
    this.#wakeNext(() => true)
  }

  /** True if `run`, or a run below it, has a reservation or asks for one. */
  isHeldBelow(run: string): boolean {
    for (const holder of this.#holders) if (isWithin(holder, run)) return true
    return false
  }

  /** If an earlier run in line waits for an allowance that this run needs, returns the run that has the allowance. */
  shortBefore(run: string): string | undefined {
    for (const [other, { short }] of this.#line) {
      if (other === run) return undefined
      if (isWithin(run, short)) return short
    }
    return undefined
  }

  /**
   * Puts the run in line for the allowance of the run `short`. A run that is in line keeps its place. `wake` is
   * called once, when the run may try again; the run stays in line until it leaves.
   */
  wait(run: string, short: string, wake: () => void): void {
    const waiting = this.#line.get(run)
    if (!waiting) this.#line.set(run, { short, wake })
    else {
      waiting.short = short
      waiting.wake = wake
    }
  }

  /** Call it when the run has its reservation or no longer needs it. False if it was not in line. */
  leave(run: string): boolean {
    const wasInLine = this.#line.delete(run)
    if (wasInLine) this.#wakeNext(() => true)
    return wasInLine
  }

  /** Wakes each eligible run, unless an earlier run in line waits for an allowance that it needs. */
  #wakeNext(isEligible: (waiting: Waiting) => boolean): void {
    const before: string[] = []
    const woken: Waiting[] = []
    for (const [run, waiting] of this.#line) {
      if (!before.some((short) => isWithin(run, short)) && isEligible(waiting)) woken.push(waiting)
      // Every run of the tree needs the root's allowance, so no later run may go first.
      if (waiting.short === getRootRun(waiting.short)) break
      before.push(waiting.short)
    }
    for (const waiting of woken) {
      const { wake } = waiting
      waiting.wake = undefined
      wake?.()
    }
  }
}

interface Waiting {
  short: string
  /** Undefined if the run was woken already. */
  wake: (() => void) | undefined
}

const isWithin = (run: string, above: string): boolean => run === above || run.startsWith(`${above}.`)
