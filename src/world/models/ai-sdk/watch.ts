import { AsyncLocalStorage } from "node:async_hooks"
import type { ModelError } from "../../../agent/model.ts"
import { createAbortedFailure, createIdleFailure, createSlowFailure } from "../wire/failure.ts"

export interface WatchLimits {
  readonly host: string
  readonly idleTimeout: number
  readonly totalTimeout: number
}

/** Watches the time of one request, and gives it up when it is aborted, silent for too long or endless. */
export class Watch {
  readonly whenGivenUp: Promise<ModelError>
  /** The reason why the request was given up. */
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
    this.whenGivenUp = new Promise((resolve) => {
      this.settle = resolve
    })
    outer.addEventListener("abort", this)
    this.timer = setTimeout(checkTime, Math.min(limits.idleTimeout, limits.totalTimeout), this)
  }

  /** The watch of the request that the current code runs for. */
  static current(): Watch | undefined {
    return watches.getStore()
  }

  get signal(): AbortSignal {
    return this.aborter.signal
  }

  run<Value>(step: () => Value): Value {
    return watches.run(this, step)
  }

  noteActivity(): void {
    this.lastHeardAt = performance.now()
  }

  /** Called when the signal aborts. */
  handleEvent(): void {
    this.giveUp(createAbortedFailure())
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
    const remaining = this.timeLeft()
    if (remaining > 0) this.timer = setTimeout(checkTime, remaining, this)
    // If this process was delayed or asleep, unread data may be waiting. It is read before the request is given up.
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
    this.giveUp(isTotal ? createSlowFailure(host, totalTimeout) : createIdleFailure(host, idleTimeout))
  }
}

const watches = new AsyncLocalStorage<Watch>()

const checkTime = (watch: Watch): void => watch.checkTime()
