/** Wakes whoever waits. A ring between a look and a wait is not lost: rings are counted. */
export class Bell {
  readonly #waiting = new Set<() => void>()
  #rings = 0

  get rings(): number {
    return this.#rings
  }

  ring(): void {
    this.#rings++
    for (const wake of this.#waiting) wake()
  }

  /** Resolves at the first ring after `heard`, or when the signal aborts. */
  next(heard: number, signal: AbortSignal): Promise<void> {
    if (this.#rings !== heard || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener("abort", wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener("abort", wake)
    })
  }
}
