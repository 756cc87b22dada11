import { now } from "../log/clock.ts"

/** Milliseconds that a timer is late by only where the process did not run at all. */
const asleep = 30_000

export interface Sleeper {
  /** The time has come. Whoever was silent while the machine slept could not have been heard. */
  rang(sleep: "awake" | "slept"): void
}

/** One timer a run: it is moved only to an earlier time, and one that strikes too early does no harm. */
export class Alarm {
  readonly #sleeper: Sleeper
  #timer: ReturnType<typeof setTimeout> | undefined
  #time = 0

  constructor(sleeper: Sleeper) {
    this.#sleeper = sleeper
  }

  set(time: number | undefined): void {
    if (time === undefined || (this.#timer && this.#time <= time)) return
    clearTimeout(this.#timer)
    this.#time = time
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#sleeper.rang(now() - this.#time > asleep ? "slept" : "awake")
      },
      Math.min(Math.max(0, time - now()), 2 ** 31 - 1),
    )
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
