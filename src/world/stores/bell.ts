/** Wakes all waiting callers. Rings are counted, so a ring between a look and a wait is not lost. */
export class Bell {
  readonly #waiters = new Set<() => void>()
  #rings = 0

  get rings(): number {
    return this.#rings
  }

  ring(): void {
    this.#rings++
    for (const wake of this.#waiters) wake()
  }

  /** Resolves when the number of rings differs from `seenRings`, or when the signal aborts. */
  next(seenRings: number, signal: AbortSignal): Promise<void> {
    if (this.#rings !== seenRings || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake)
        signal.removeEventListener("abort", wake)
        resolve()
      }
      this.#waiters.add(wake)
      signal.addEventListener("abort", wake)
    })
  }
}
