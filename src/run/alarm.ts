import { now } from "./clock.ts"

/** Milliseconds that a timer is late by only where the process did not run at all. */
const asleep = 30_000

/** One timer a run: it is moved only to an earlier time, and one that strikes too early does no harm. */
export class Alarm {
  readonly #strike: (sleep: "awake" | "slept") => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #time = 0

  /** Told, when the time has come, whether the machine slept meanwhile. */
  constructor(strike: (sleep: "awake" | "slept") => void) {
    this.#strike = strike
  }

  set(time: number | undefined): void {
    if (time === undefined || (this.#timer && this.#time <= time)) return
    clearTimeout(this.#timer)
    this.#time = time
    this.#timer = setTimeout(this.#ring, Math.min(Math.max(0, time - now()), 2 ** 31 - 1))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }

  readonly #ring = (): void => {
    this.#timer = undefined
    this.#strike(now() - this.#time > asleep ? "slept" : "awake")
  }
}
