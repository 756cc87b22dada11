import { AsyncResource } from "node:async_hooks"
import type { Dispatcher } from "undici"
import type { ModelError } from "../../../agent/model.ts"
import { describeThrown } from "../../../ground/errors.ts"
import {
  connectThroughProxy,
  createProxyError,
  findProxy,
  type NamedProxy,
  type ProxyProblem,
} from "../../../ground/proxy.ts"
import {
  createAbortedFailure,
  createIdleFailure,
  createModelFailure,
  createNetworkFailure,
  createNoAnswerFailure,
  createSlowFailure,
  createStatusFailure,
  createTooLargeFailure,
} from "./failure.ts"
import { getFirstValue, type Headers } from "./headers.ts"
import { readFields, tryParseJson } from "./json.ts"

/** The address of a protocol's requests, and their limits. Times are in milliseconds. */
export interface HttpEndpoint {
  readonly origin: string
  readonly host: string
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
  /** The longest silence. Every byte ends it, so a ping does, too. */
  readonly idleTimeout: number
  readonly totalTimeout: number
  readonly maxResponseBytes: number
  /** The assumed form of an answer without a content type. */
  readonly expect: BodyKind
}

export type BodyKind = "sse" | "json"

export interface BodyReader {
  /** Reads a chunk. `done`: the answer is complete, whatever follows. `broken`: nothing that follows can repair it. */
  push(chunk: Buffer): "more" | "done" | "broken"
  /** Called once, when the body has ended or `push` returned `done` or `broken`. */
  end(): ModelError | undefined
}

/** Receives an answer whose status is 2xx. */
export interface HttpAnswer {
  /** Called if the provider refused, or was never asked. */
  nothingUsed(): void
  /** Turns a refusal that the model itself can correct into an answer. */
  recover?(error: unknown): "recovered" | undefined
  open(kind: BodyKind, contentType: string): BodyReader
}

/**
 * Posts a body and feeds the answer to a reader. Failures are returned; it rejects only if undici cannot be loaded.
 * Connections are kept alive and shared per origin, without an upper limit. undici is loaded at the first request.
 */
export function postRequest(
  endpoint: HttpEndpoint,
  body: Buffer,
  signal: AbortSignal,
  answer: HttpAnswer,
): Promise<ModelError | undefined> {
  const begin = (route: Route | ProxyProblem) =>
    new Promise<ModelError | undefined>((settle) => {
      if (signal.aborted || "problem" in route) answer.nothingUsed()
      if (signal.aborted) settle(createAbortedFailure())
      else if ("problem" in route) settle(createModelFailure("rejected", route.problem, "final"))
      else new Exchange(endpoint, signal, answer, settle).send(route, body)
    })
  // This is not an async function: with a thousand waiting requests, each would hold one more frame.
  const route = routes.get(endpoint.origin)
  return route ? begin(route) : openRoute(endpoint.origin).then(begin)
}

/** The route to an origin: direct, or through a proxy. */
interface Route {
  readonly dispatcher: Dispatcher
  readonly proxy?: NamedProxy
}

const routes = new Map<string, Route>()

async function openRoute(origin: string): Promise<Route | ProxyProblem> {
  const proxy = findProxy(origin)
  if (proxy && "problem" in proxy) return proxy
  const { Pool } = await import("undici")
  const newRoute = proxy
    ? { dispatcher: await connectThroughProxy(proxy, poolOptions), proxy }
    : { dispatcher: new Pool(origin, poolOptions) }
  const existing = routes.get(origin)
  if (existing) return existing
  routes.set(origin, newRoute)
  return newRoute
}

const poolOptions = {
  pipelining: 1,
  connectTimeout: 30_000,
  keepAliveTimeout: 30_000,
  // Exchange measures the time itself: undici's limits do not cover a stuck upload and are imprecise by seconds.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/**
 * One request and its answer. It is an AsyncResource, because a socket's callbacks run in the context of the request
 * that opened it, which may belong to another run.
 */
class Exchange extends AsyncResource implements Dispatcher.DispatchHandler {
  private readonly endpoint: HttpEndpoint
  private readonly signal: AbortSignal
  private readonly answer: HttpAnswer
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
    endpoint: HttpEndpoint,
    signal: AbortSignal,
    answer: HttpAnswer,
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

  /** Called when the signal aborts. */
  handleEvent(): void {
    this.giveUp(createAbortedFailure())
  }

  checkTime(): void {
    if (this.state !== "open") return
    const remaining = this.timeLeft()
    if (remaining > 0) this.timer = setTimeout(checkTime, remaining, this)
    // If this process was delayed or asleep, unread bytes may be waiting. They are read before the request is given up.
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
    this.giveUp(isTotal ? createSlowFailure(host, totalTimeout) : createIdleFailure(host, idleTimeout))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // The request was given up while connecting, so it must not be sent.
    if (this.state === "settled") controller.abort(new Error("given up"))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.state !== "open") return
    this.lastByteAt = performance.now()
    const contentType = getFirstValue(headers["content-type"])
    const kind = status < 300 ? detectBodyKind(contentType, headers, this.endpoint.expect) : undefined
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
      this.giveUp(createTooLargeFailure(this.endpoint.host, this.endpoint.maxResponseBytes))
      return
    }
    const state = this.read((reader) => reader.push(chunk))
    if (state === "broken") this.giveUp(this.read((reader) => reader.end()))
    if (state === "done" && this.state === "open") {
      this.state = "complete"
      // Waiting for the end of the body keeps the connection for the next request. If the server does not end the body,
      // the connection is dropped.
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.giveUp(this.read((reader) => reader.end())), endTime)
    }
  }

  onResponseEnd(): void {
    if (this.state === "settled") return
    const error = this.refusal ? this.refused(this.refusal) : this.read((reader) => reader.end())
    // undici reuses the connection only in the next round of the event loop. A request before that would open another
    // one.
    queueMicrotask(() => setImmediate(() => this.finish(error)))
  }

  onResponseError(_: Dispatcher.DispatchController, thrown: unknown): void {
    if (this.state === "settled") return
    if (this.refusal) this.finish(this.refused(this.refusal))
    else if (this.state === "complete") this.finish(this.read((reader) => reader.end()))
    else
      this.finish(
        createNetworkFailure(this.endpoint.host, this.proxy ? createProxyError(thrown, this.proxy) : thrown),
      )
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
    // An unreadable answer (a page, an encoding) was still an answer, and may be billed.
    const isRefused = this.refusal !== undefined && this.refusal.status >= 300
    if (error && (isRefused || this.controller === undefined)) this.answer.nothingUsed()
    lastExchange.exchange = this
    this.settle(error)
  }

  /**
   * Runs a step of the reader. An error, such as one thrown by its listener, ends the exchange: undici would report a
   * broken connection.
   */
  private read<Value>(step: (reader: BodyReader) => Value): Value | undefined {
    try {
      return this.runInAsyncScope(step, undefined, this.reader!)
    } catch (thrown) {
      this.giveUp(
        createModelFailure(
          "protocol",
          `The answer could not be processed: ${describeThrown(thrown)}`,
          "final",
        ),
      )
      return undefined
    }
  }

  private refused({ status, headers, kept }: Refusal): ModelError | undefined {
    const { host } = this.endpoint
    if (status >= 300) {
      const text = Buffer.concat(kept).toString()
      if (this.answer.recover?.(readFields(tryParseJson(text)).error)) return undefined
      return createStatusFailure(host, status, headers, text, this.size)
    }
    const encoding = getFirstValue(headers["content-encoding"])
    const content =
      (getFirstValue(headers["content-type"]) || "unnamed content") + (encoding && ` encoded as ${encoding}`)
    const size = this.size > longestRefusal ? `${this.size} or more` : this.size
    return createNoAnswerFailure(host, status, size, content)
  }
}

/**
 * The last exchange that ended. Without a living object of its shape, a garbage collection drops the compiled code, and
 * the next request starts slowly.
 */
const lastExchange: { exchange?: Exchange } = {}

const checkTime = (exchange: Exchange): void => exchange.checkTime()

/** The start of an answer that is not a model's: an error status, a page, an unexpected encoding. */
interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly kept: Buffer[]
}

/** Decides how to read a body. Servers may ignore `stream` or send no content type. */
export function detectBodyKind(
  contentType: string,
  headers: Headers,
  expected: BodyKind,
): BodyKind | undefined {
  if (!/^(identity)?$/i.test(getFirstValue(headers["content-encoding"]))) return undefined
  if (/event-stream/i.test(contentType)) return "sse"
  if (/json/i.test(contentType)) return "json"
  return /^$|^text\/plain|octet-stream/i.test(contentType) ? expected : undefined
}

const longestRefusal = 64 * 1024
const endTime = 200
