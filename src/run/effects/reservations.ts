import { rootOf } from "../log/id.ts"

/**
 * The model calls of a tree that hold a reservation in this process: each will give most of it back when it settles. Whoever
 * is refused meanwhile waits in line: first come, first served, also where somebody behind needs less.
 */
export class Reservations {
  /** How many have settled: a refusal from before the last one says nothing about now. */
  settlements = 0
  readonly #held = new Set<string>()
  /** In the order in which they came. */
  readonly #line = new Map<string, Waiting>()

  /** Before the reservation is asked for: whoever is refused meanwhile must know that it may come free. */
  hold(run: string): void {
    this.#held.add(run)
  }

  /** It was refused, so nothing came free; but whoever only waited for it has nothing to wait for now. */
  drop(run: string): void {
    this.#held.delete(run)
    this.#call(({ short }) => !this.isHeldBelow(short))
  }

  /** What it turned out to be is recorded. */
  settle(run: string): void {
    this.#held.delete(run)
    this.settlements++
    this.#line.delete(run)
    this.#call(() => true)
  }

  /** Whether a call at or below `run` is in flight. */
  isHeldBelow(run: string): boolean {
    for (const held of this.#held) if (isWithin(held, run)) return true
    return false
  }

  /** The run whose allowance others wait for who came before this one, where it needs the same. */
  shortBefore(run: string): string | undefined {
    for (const [other, { short }] of this.#line) {
      if (other === run) return undefined
      if (isWithin(run, short)) return short
    }
    return undefined
  }

  /**
   * Waits for the allowance of `short`, in the place that it has in line already, or as the last. Calls back once, when it
   * may try again: it keeps its place until it leaves.
   */
  wait(run: string, short: string, wake: () => void): void {
    const waiting = this.#line.get(run)
    if (!waiting) this.#line.set(run, { short, wake })
    else {
      waiting.short = short
      waiting.wake = wake
    }
  }

  /** It got what it needs, or does not need it any more. False where it was not in line. */
  leave(run: string): boolean {
    const wasThere = this.#line.delete(run)
    if (wasThere) this.#call(() => true)
    return wasThere
  }

  /** Those whom nobody in line comes before. */
  #call(isMeant: (waiting: Waiting) => boolean): void {
    const before: string[] = []
    const called: Waiting[] = []
    for (const [run, waiting] of this.#line) {
      if (!before.some((short) => isWithin(run, short)) && isMeant(waiting)) called.push(waiting)
      // Everybody in the tree needs that one.
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
  /** Undefined where it was called already. */
  wake: (() => void) | undefined
}

const isWithin = (run: string, above: string): boolean => run === above || run.startsWith(`${above}.`)
