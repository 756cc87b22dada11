/** The model calls of a tree that hold a reservation in this process: each will give most of it back when it settles. */
export class Reservations {
  /** How many have settled: a refusal from before the last one says nothing about now. */
  settlements = 0
  readonly #held = new Set<string>()
  #waiting: (() => void)[] = []

  /** Before the reservation is asked for: whoever is refused meanwhile must know that it may come free. */
  hold(run: string): void {
    this.#held.add(run)
  }

  /** It was refused, so nothing came free. */
  drop(run: string): void {
    this.#held.delete(run)
  }

  /** What it turned out to be is recorded. */
  settle(run: string): void {
    this.#held.delete(run)
    this.settlements++
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  /** Whether a call at or below `run` is in flight. */
  isHeldBelow(run: string): boolean {
    for (const held of this.#held) if (held === run || held.startsWith(`${run}.`)) return true
    return false
  }

  /** Calls back once, when the next one has settled. */
  onSettle(wake: () => void): void {
    this.#waiting.push(wake)
  }
}
