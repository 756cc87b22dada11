import { AsyncResource } from "node:async_hooks"
import type { Dispatcher } from "undici"
import type { ModelError } from "../../../agent/model.ts"
import { messageOf } from "../../../ground/errors.ts"
import {
  type NamedProxy,
  type ProxyProblem,
  proxyError,
  proxyFor,
  throughProxy,
} from "../../../ground/proxy.ts"
import {
  abortedFailure,
  failure,
  idleFailure,
  networkFailure,
  noAnswerFailure,
  slowFailure,
  statusFailure,
  tooLargeFailure,
} from "./failure.ts"
import { type Headers, one } from "./headers.ts"
import { fields, parsed } from "./json.ts"

/** Where and under which limits a protocol asks. Times are in milliseconds. */
export interface Endpoint {
  readonly origin: string
  readonly host: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** Longest silence. Every byte counts, so a ping does too. */
  readonly idleTimeout: number
  readonly totalTimeout: number
  readonly maxResponseBytes: number
  /** How to read an answer that does not say what it is. */
  readonly expect: BodyKind
}

export type BodyKind = "sse" | "json"

export interface BodyReader {
  /** `done`: the answer is complete, whatever follows. `broken`: nothing that follows can mend it. */
  push(chunk: Buffer): "more" | "done" | "broken"
  /** Called once, when the body ended or `push` said it is done or broken. */
  end(): ModelError | undefined
}

/** What becomes of an answer whose status is 2xx. */
export interface Answer {
  /** The provider refused, or was never asked. */
  nothingUsed(): void
  /** Makes an answer of a refusal that the model itself can mend. */
  recover?(error: unknown): "recovered" | undefined
  open(kind: BodyKind, contentType: string): BodyReader
}

/**
 * Posts a body and feeds the answer to a reader. Never rejects but where undici cannot be loaded: what went
 * wrong is returned. Connections are kept alive and shared per origin, without an upper limit; undici loads at
 * the first request.
 */
export function exchange(
  endpoint: Endpoint,
  body: Buffer,
  signal: AbortSignal,
  answer: Answer,
): Promise<ModelError | undefined> {
  const begin = (route: Route | ProxyProblem) =>
    new Promise<ModelError | undefined>((settle) => {
      if (signal.aborted || "problem" in route) answer.nothingUsed()
      if (signal.aborted) settle(abortedFailure())
      else if ("problem" in route) settle(failure("rejected", route.problem, "final"))
      else new Exchange(endpoint, signal, answer, settle).send(route, body)
    })
  // No async function: a thousand may be waiting, and each would hold one frame more.
  const route = routes.get(endpoint.origin)
  return route ? begin(route) : openRoute(endpoint.origin).then(begin)
}

/** How an origin is reached: directly, or through a proxy. */
interface Route {
  readonly dispatcher: Dispatcher
  readonly proxy?: NamedProxy
}

const routes = new Map<string, Route>()

async function openRoute(origin: string): Promise<Route | ProxyProblem> {
  const proxy = proxyFor(origin)
  if (proxy && "problem" in proxy) return proxy
  const { Pool } = await import("undici")
  const opened = proxy
    ? { dispatcher: await throughProxy(proxy, poolOptions), proxy }
    : { dispatcher: new Pool(origin, poolOptions) }
  const known = routes.get(origin)
  if (known) return known
  routes.set(origin, opened)
  return opened
}

const poolOptions = {
  pipelining: 1,
  connectTimeout: 30_000,
  keepAliveTimeout: 30_000,
  // Exchange keeps the time: undici's own limits do not cover a stuck upload and are seconds apart.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/**
 * An AsyncResource, because a socket's callbacks run in the context of whoever opened it, which may be
 * another run.
 */
class Exchange extends AsyncResource implements Dispatcher.DispatchHandler {
  private readonly endpoint: Endpoint
  private readonly signal: AbortSignal
  private readonly answer: Answer
  private readonly settle: (error: ModelError | undefined) => void
  private readonly startedAt = performance.now()
  private lastByteAt = this.startedAt
  private timer: NodeJS.Timeout | undefined
  private proxy: NamedProxy | undefined
  private state: "open" | "complete" | "settled" = "open"
  private controller: Dispatcher.DispatchController | undefined
  private size = 0
  private reader: BodyReader | undefined
  private refusal: Refusal | undefined

  constructor(
    endpoint: Endpoint,
    signal: AbortSignal,
    answer: Answer,
    settle: (error: ModelError | undefined) => void,
  ) {
    super("CADRE_MODEL_REQUEST")
    this.endpoint = endpoint
    this.signal = signal
    this.answer = answer
    this.settle = settle
  }

  send({ dispatcher, proxy }: Route, body: Buffer): void {
    const { idleTimeout, totalTimeout, origin, path, headers } = this.endpoint
    this.proxy = proxy
    this.signal.addEventListener("abort", this)
    this.timer = setTimeout(checkTime, Math.min(idleTimeout, totalTimeout), this)
    dispatcher.dispatch({ origin, path, method: "POST", headers: headers as string[], body }, this)
  }

  /** The signal was aborted. */
  handleEvent(): void {
    this.giveUp(abortedFailure())
  }

  checkTime(): void {
    if (this.state !== "open") return
    const left = this.timeLeft()
    if (left > 0) this.timer = setTimeout(checkTime, left, this)
    // Where this process was late, or asleep, bytes may be waiting: they are read before the answer is given
    // up.
    else setImmediate(() => (this.timeLeft() > 0 ? this.checkTime() : this.outOfTime()))
  }

  private timeLeft(): number {
    const { idleTimeout, totalTimeout } = this.endpoint
    return Math.ceil(
      Math.min(this.lastByteAt + idleTimeout, this.startedAt + totalTimeout) - performance.now(),
    )
  }

  private outOfTime(): void {
    if (this.state !== "open") return
    if (this.refusal) {
      this.giveUp(this.refused(this.refusal))
      return
    }
    const { host, idleTimeout, totalTimeout } = this.endpoint
    const isTotal = performance.now() >= this.startedAt + totalTimeout
    this.giveUp(isTotal ? slowFailure(host, totalTimeout) : idleFailure(host, idleTimeout))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // Given up while connecting: the request must not be sent any more.
    if (this.state === "settled") controller.abort(new Error("given up"))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.state !== "open") return
    this.lastByteAt = performance.now()
    const contentType = one(headers["content-type"])
    const kind = status < 300 ? bodyKind(contentType, headers, this.endpoint.expect) : undefined
    if (kind) this.reader = this.answer.open(kind, contentType)
    else this.refusal = { status, headers, kept: [] }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.state !== "open") return
    this.lastByteAt = performance.now()
    this.size += chunk.length
    if (this.refusal) {
      this.refusal.kept.push(chunk)
      if (this.size > longestRefusal) this.giveUp(this.refused(this.refusal))
      return
    }
    if (this.size > this.endpoint.maxResponseBytes) {
      this.giveUp(tooLargeFailure(this.endpoint.host, this.endpoint.maxResponseBytes))
      return
    }
    const state = this.read((reader) => reader.push(chunk))
    if (state === "broken") this.giveUp(this.read((reader) => reader.end()))
    if (state === "done" && this.state === "open") {
      this.state = "complete"
      // Waiting for the end of the body keeps the connection for the next request. A server that never ends
      // it loses it.
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.giveUp(this.read((reader) => reader.end())), endTime)
    }
  }

  onResponseEnd(): void {
    if (this.state === "settled") return
    const error = this.refusal ? this.refused(this.refusal) : this.read((reader) => reader.end())
    // undici takes the connection back in the next round of the event loop: whoever asks before opens another
    // one.
    queueMicrotask(() => setImmediate(() => this.finish(error)))
  }

  onResponseError(_: Dispatcher.DispatchController, thrown: unknown): void {
    if (this.state === "settled") return
    if (this.refusal) this.finish(this.refused(this.refusal))
    else if (this.state === "complete") this.finish(this.read((reader) => reader.end()))
    else this.finish(networkFailure(this.endpoint.host, this.proxy ? proxyError(thrown, this.proxy) : thrown))
  }

  private giveUp(error: ModelError | undefined): void {
    this.finish(error)
    this.controller?.abort(new Error("given up"))
  }

  private finish(error: ModelError | undefined): void {
    if (this.state === "settled") return
    this.state = "settled"
    clearTimeout(this.timer)
    this.signal.removeEventListener("abort", this)
    // An answer that cannot be read (a page, an encoding) was given all the same, and may be billed.
    const isRefused = this.refusal !== undefined && this.refusal.status >= 300
    if (error && (isRefused || this.controller === undefined)) this.answer.nothingUsed()
    warm.exchange = this
    this.settle(error)
  }

  /** A reader that throws (its listener did) ends the exchange: undici would call it a broken connection. */
  private read<Value>(step: (reader: BodyReader) => Value): Value | undefined {
    try {
      return this.runInAsyncScope(step, undefined, this.reader!)
    } catch (thrown) {
      this.giveUp(failure("protocol", `The answer could not be taken in: ${messageOf(thrown)}`, "final"))
      return undefined
    }
  }

  private refused({ status, headers, kept }: Refusal): ModelError | undefined {
    const { host } = this.endpoint
    if (status >= 300) {
      const text = Buffer.concat(kept).toString()
      if (this.answer.recover?.(fields(parsed(text)).error)) return undefined
      return statusFailure(host, status, headers, text, this.size)
    }
    const encoding = one(headers["content-encoding"])
    const content =
      (one(headers["content-type"]) || "unnamed content") + (encoding && ` encoded as ${encoding}`)
    const size = this.size > longestRefusal ? `${this.size} or more` : this.size
    return noAnswerFailure(host, status, size, content)
  }
}

/**
 * The last one that ended. While nothing of its shape is alive, a garbage collection throws away the machine code
 * made for it, and the next one begins slowly.
 */
const warm: { exchange?: Exchange } = {}

const checkTime = (exchange: Exchange): void => exchange.checkTime()

/** The start of an answer that is no model's: a status, a page, an encoding nobody asked for. */
interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly kept: Buffer[]
}

/** Servers that ignore `stream`, or that do not name what they send, are understood. */
export function bodyKind(contentType: string, headers: Headers, expected: BodyKind): BodyKind | undefined {
  if (!/^(identity)?$/i.test(one(headers["content-encoding"]))) return undefined
  if (/event-stream/i.test(contentType)) return "sse"
  if (/json/i.test(contentType)) return "json"
  return /^$|^text\/plain|octet-stream/i.test(contentType) ? expected : undefined
}

const longestRefusal = 64 * 1024
const endTime = 200
