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

/** Work that always settles: it ends, it fails, or it is abandoned half a second after it was told to stop. */
export class Running<Value> {
  readonly done: Promise<Settled<Value>>
  readonly #lender: Lender | undefined
  #controller: AbortController | undefined
  #settle!: (settled: Settled<Value>) => void
  #aborted: string | undefined
  #clock: ReturnType<typeof setTimeout> | undefined

  constructor(
    work: (running: Signalled) => Promise<Value>,
    { timeout, lender }: { timeout?: number | undefined; lender?: Lender } = {},
  ) {
    this.#lender = lender
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
    if (timeout !== undefined)
      this.#clock = setTimeout(
        () => this.abort(`it took longer than ${timeout} ms`),
        Math.min(timeout, 2 ** 31 - 1),
      )
    void this.#run(work)
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
    if (this.#aborted !== undefined) return
    this.#aborted = why
    clearTimeout(this.#clock)
    this.#clock = setTimeout(() => this.#settle({ type: "abandoned", aborted: why }), abandonAfter)
    this.#controller?.abort(new Error(why))
  }

  async #run(work: (running: Signalled) => Promise<Value>): Promise<void> {
    try {
      const value = await work(this)
      this.#settle({ type: "value", value, ...(this.#aborted !== undefined && { aborted: this.#aborted }) })
    } catch (error) {
      this.#settle({ type: "error", error, ...(this.#aborted !== undefined && { aborted: this.#aborted }) })
    }
    clearTimeout(this.#clock)
  }
}
