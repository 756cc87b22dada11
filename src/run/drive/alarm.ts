import { readClock } from "../log/clock.ts"

/** A timer that is this many milliseconds late means that the process did not run at all. */
const asleep = 30_000

export interface Sleeper {
  /** The time has come. `slept`: the machine slept, so a silent model or tool was not idle. */
  ring(sleep: "awake" | "slept"): void
}

/** One timer for each run. It is only ever moved to an earlier time: an early wake-up does no harm. */
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
        this.#sleeper.ring(readClock() - this.#time > asleep ? "slept" : "awake")
      },
      Math.min(Math.max(0, time - readClock()), 2 ** 31 - 1),
    )
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
