/** The time that a model or tool has to obey its signal before the run goes on without it. */
export const abandonAfter = 500

export type WorkResult<Value> =
  | { readonly type: "value"; readonly value: Value; readonly aborted?: string }
  | { readonly type: "error"; readonly error: unknown; readonly aborted?: string }
  | { readonly type: "abandoned"; readonly aborted: string }

/** The signal of some work, which tells it to stop. */
export interface SignalHolder {
  readonly signal: AbortSignal
}

/** Lends a controller that is not aborted and that no other work uses. */
export interface ControllerLender {
  lendController(): AbortController
}

export interface RunningOptions {
  readonly timeout?: number | undefined
  readonly lender?: ControllerLender
}

export const startWork = <Value>(
  work: (running: SignalHolder) => Promise<Value>,
  options?: RunningOptions,
): RunningWork<Value> => new RunningWork(work, options)

/**
 * Work that always settles: it ends, it fails, or it is abandoned half a second after it was told to stop.
 */
export class RunningWork<Value> {
  readonly done: Promise<WorkResult<Value>>
  isSettled = false
  readonly #lender: ControllerLender | undefined
  #controller: AbortController | undefined
  #settle!: (settled: WorkResult<Value>) => void
  #aborted: string | undefined
  #clock: ReturnType<typeof setTimeout> | undefined

  constructor(work: (running: SignalHolder) => Promise<Value>, { timeout, lender }: RunningOptions = {}) {
    this.#lender = lender
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
    if (timeout !== undefined)
      this.#clock = setTimeout(
        () => this.abort(`it took longer than ${timeout} ms`),
        Math.min(timeout, 2 ** 31 - 1),
      )
    work(this).then(
      (value) => this.#end({ type: "value", value, ...this.#why() }),
      (error) => this.#end({ type: "error", error, ...this.#why() }),
    )
  }

  /** Made on first use: most tools never use it, and it is the most expensive part of a call. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = this.#lender?.lendController() ?? new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(new Error(this.#aborted))
    }
    return this.#controller.signal
  }

  abort(why: string): void {
    if (this.#aborted !== undefined || this.isSettled) return
    this.#aborted = why
    clearTimeout(this.#clock)
    this.#clock = setTimeout(() => this.#end({ type: "abandoned", aborted: why }), abandonAfter)
    this.#controller?.abort(new Error(why))
  }

  #end(settled: WorkResult<Value>): void {
    this.isSettled = true
    clearTimeout(this.#clock)
    this.#settle(settled)
  }

  #why(): { aborted?: string } {
    return this.#aborted === undefined ? {} : { aborted: this.#aborted }
  }
}
