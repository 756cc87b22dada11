/** How long a model or tool may ignore its signal before the run goes on without it. */
const abandonAfter = 500

export type Settled<Value> =
  | { readonly type: "value"; readonly value: Value; readonly aborted?: string }
  | { readonly type: "error"; readonly error: unknown; readonly aborted?: string }
  | { readonly type: "abandoned"; readonly aborted: string }

export interface Running<Value> {
  readonly done: Promise<Settled<Value>>
  abort(why: string): void
}

/** Starts work that always settles: it ends, it fails, or it is abandoned half a second after it was told to stop. */
export function runEffect<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  timeout?: number,
): Running<Value> {
  const controller = new AbortController()
  let aborted: string | undefined
  let clock: ReturnType<typeof setTimeout> | undefined
  let abandon: (settled: Settled<Value>) => void
  const abandoned = new Promise<Settled<Value>>((resolve) => {
    abandon = resolve
  })
  const abort = (why: string) => {
    if (aborted !== undefined) return
    aborted = why
    clearTimeout(clock)
    clock = setTimeout(() => abandon({ type: "abandoned", aborted: why }), abandonAfter)
    controller.abort(new Error(why))
  }
  if (timeout !== undefined)
    clock = setTimeout(() => abort(`it took longer than ${timeout} ms`), Math.min(timeout, 2 ** 31 - 1))
  const settled = invoke(work, controller.signal).then(
    (value): Settled<Value> => ({ type: "value", value, ...(aborted !== undefined && { aborted }) }),
    (error): Settled<Value> => ({ type: "error", error, ...(aborted !== undefined && { aborted }) }),
  )
  return { abort, done: Promise.race([settled, abandoned]).finally(() => clearTimeout(clock)) }
}

/** A synchronous throw is a rejection like any other. */
const invoke = async <Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> => work(signal)
