/** How long a model or tool may ignore its signal before the run goes on without it. */
export const abandonAfter = 500

export type Settled<Value> =
  | { readonly type: "value"; readonly value: Value; readonly aborted?: string }
  | { readonly type: "error"; readonly error: unknown; readonly aborted?: string }
  | { readonly type: "abandoned"; readonly aborted: string }

/** What work is told: to stop, when it asks. */
export interface Signalled {
  readonly signal: AbortSignal
}

/** Has a controller that is not aborted, and that nobody else works under. */
export interface Lender {
  lendController(): AbortController
}

export interface RunningOptions {
  readonly timeout?: number | undefined
  readonly lender?: Lender
}

export const startRunning = <Value>(
  work: (running: Signalled) => Promise<Value>,
  options?: RunningOptions,
): Running<Value> => new Running(work, options)

/** Work that always settles: it ends, it fails, or it is abandoned half a second after it was told to stop. */
export class Running<Value> {
  readonly done: Promise<Settled<Value>>
  settled = false
  readonly #lender: Lender | undefined
  #controller: AbortController | undefined
  #settle!: (settled: Settled<Value>) => void
  #aborted: string | undefined
  #clock: ReturnType<typeof setTimeout> | undefined

  constructor(work: (running: Signalled) => Promise<Value>, { timeout, lender }: RunningOptions = {}) {
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

  /** Made when first asked for: most tools never do, and it is the dearest part of a call. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = this.#lender?.lendController() ?? new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(new Error(this.#aborted))
    }
    return this.#controller.signal
  }

  abort(why: string): void {
    if (this.#aborted !== undefined || this.settled) return
    this.#aborted = why
    clearTimeout(this.#clock)
    this.#clock = setTimeout(() => this.#end({ type: "abandoned", aborted: why }), abandonAfter)
    this.#controller?.abort(new Error(why))
  }

  #end(settled: Settled<Value>): void {
    this.settled = true
    clearTimeout(this.#clock)
    this.#settle(settled)
  }

  #why(): { aborted?: string } {
    return this.#aborted === undefined ? {} : { aborted: this.#aborted }
  }
}
