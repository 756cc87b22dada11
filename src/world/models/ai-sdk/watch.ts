import { AsyncLocalStorage } from "node:async_hooks"
import type { ModelError } from "../../../agent/model.ts"
import { abortedFailure, idleFailure, slowFailure } from "../wire/failure.ts"

export interface WatchLimits {
  readonly host: string
  readonly idleTimeout: number
  readonly totalTimeout: number
}

/** Keeps the time of one request, and gives it up when it is aborted, silent for too long or without an end. */
export class Watch {
  readonly givenUp: Promise<ModelError>
  /** Why it was given up. */
  error: ModelError | undefined
  isOver = false
  private readonly limits: WatchLimits
  private readonly aborter = new AbortController()
  private readonly outer: AbortSignal
  private readonly startedAt = performance.now()
  private lastHeardAt = this.startedAt
  private timer: NodeJS.Timeout | undefined
  private settle: (error: ModelError) => void = () => {}
  private readonly endings: (() => void)[] = []

  constructor(limits: WatchLimits, outer: AbortSignal) {
    this.limits = limits
    this.outer = outer
    this.givenUp = new Promise((resolve) => {
      this.settle = resolve
    })
    outer.addEventListener("abort", this)
    this.timer = setTimeout(checkTime, Math.min(limits.idleTimeout, limits.totalTimeout), this)
  }

  /** The watch of the request on whose behalf this is running. */
  static current(): Watch | undefined {
    return watches.getStore()
  }

  get signal(): AbortSignal {
    return this.aborter.signal
  }

  run<Value>(step: () => Value): Value {
    return watches.run(this, step)
  }

  heard(): void {
    this.lastHeardAt = performance.now()
  }

  /** The signal was aborted. */
  handleEvent(): void {
    this.giveUp(abortedFailure())
  }

  giveUp(error: ModelError): void {
    if (this.isOver) return
    this.error = error
    this.end()
    this.settle(error)
  }

  onEnd(ending: () => void): void {
    if (this.isOver) ending()
    else this.endings.push(ending)
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    this.outer.removeEventListener("abort", this)
    for (const ending of this.endings) ending()
    this.aborter.abort()
  }

  checkTime(): void {
    if (this.isOver) return
    const left = this.timeLeft()
    if (left > 0) this.timer = setTimeout(checkTime, left, this)
    // Where this process was late, or asleep, words may be waiting: they are read before the answer is given up.
    else setImmediate(() => (this.timeLeft() > 0 ? this.checkTime() : this.outOfTime()))
  }

  private timeLeft(): number {
    const { idleTimeout, totalTimeout } = this.limits
    return Math.ceil(
      Math.min(this.lastHeardAt + idleTimeout, this.startedAt + totalTimeout) - performance.now(),
    )
  }

  private outOfTime(): void {
    const { host, idleTimeout, totalTimeout } = this.limits
    const isTotal = performance.now() >= this.startedAt + totalTimeout
    this.giveUp(isTotal ? slowFailure(host, totalTimeout) : idleFailure(host, idleTimeout))
  }
}

const watches = new AsyncLocalStorage<Watch>()

const checkTime = (watch: Watch): void => watch.checkTime()
