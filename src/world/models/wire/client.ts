import type { Delta, Model, ModelError, ModelReply, ModelRequest } from "../../../agent/model.ts"
import { createHash } from "../../../ground/crypto.ts"
import { CadreError, messageOf } from "../../../ground/errors.ts"
import type { Json, Usage } from "../../../ground/message.ts"
import type { KnownOptions } from "../../../ground/options.ts"
import { takesOut, unfinishedIn } from "../secrets.ts"
import { usuallySees } from "../sees.ts"
import type { Answer, BodyKind, Endpoint } from "./http.ts"
import type { StrictRules, StrictTools } from "./strict-tools.ts"
import { presentable, redacted, secretsOf } from "./text.ts"

/** What a wire protocol is made of, HTTP aside. */
export interface Protocol {
  /** The name the provider knows the model by. */
  readonly model: string
  readonly baseUrl: string
  /** Where to ask, given the path of the base URL without a slash at its end. */
  path(base: string): string
  /** The protocol's own headers, which the caller's may replace. */
  readonly headers: Readonly<Record<string, string>>
  /** Parameters the runtime sets itself, so that nothing else can. */
  readonly reservedParameters: readonly string[]
  /** What a token may cost at most, where that is more than its price. */
  readonly highestPrice?: { readonly input: number; readonly output: number }
  /** Loads what only requests need, before the first of them. */
  speak(): Promise<Speech>
}

/** How a protocol's requests are written, and its answers read. */
export interface Speech {
  readonly strict: StrictRules
  writer(stream: BodyKind, strict: StrictTools, host: string): (request: ModelRequest) => Buffer
  /**
   * A refusal that the protocol has learned from, as an error that passes: the next writer leaves out what was refused.
   */
  refusal?(error: ModelError, request: ModelRequest): ModelError | undefined
  open(host: string, onDelta: (delta: Delta) => void): ProtocolReply
}

export interface ProtocolReply extends Answer {
  reply(error: ModelError | undefined): ModelReply
}

/** What a token costs; `cacheRead`: one that came from the provider's cache. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** One that was put there. Only newer models of OpenAI's have a price for that. */
  readonly cacheWrite?: number
}

/**
 * Where tokens that came from the cache, or were put there (`written`), have a price of their own, only the client can
 * tell the cost.
 */
export function withCost(usage: Usage, price: ModelPrice | undefined, written = 0): Usage {
  const { inputTokens, outputTokens, cachedTokens } = usage
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return usage
  const isApart =
    (price.cacheRead !== undefined && cachedTokens !== undefined) ||
    (price.cacheWrite !== undefined && written > 0)
  if (!isApart) return usage
  const cached = Math.min(cachedTokens ?? 0, inputTokens)
  const put = Math.min(written, inputTokens - cached)
  const cost =
    (inputTokens - cached - put) * price.input +
    cached * (price.cacheRead ?? price.input) +
    put * (price.cacheWrite ?? price.input) +
    outputTokens * price.output
  return { ...usage, cost }
}

/** The options that every protocol has. */
export interface ClientOptions {
  readonly baseUrl?: string
  /** They are sent with every request, and replace what is sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>
  /** How to ask for the answer: as a stream of events (default), or as one JSON object. */
  readonly stream?: BodyKind
  readonly parameters?: Readonly<Record<string, Json>>
  /** Milliseconds without a byte from the provider. Default: 300,000. */
  readonly idleTimeout?: number
  /** Milliseconds for the whole answer. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** Default: 33,554,432. */
  readonly maxResponseBytes?: number
  readonly price?: Model["price"]
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** What it can read beside text. Default: what models of its name are known to read. */
  readonly sees?: Model["sees"]
  readonly strictTools?: boolean
}

export const clientOptions: KnownOptions<ClientOptions> = {
  baseUrl: "known",
  headers: "known",
  stream: "known",
  parameters: "known",
  idleTimeout: "known",
  totalTimeout: "known",
  maxResponseBytes: "known",
  price: "known",
  window: "known",
  sees: "known",
  strictTools: "known",
}

/** A model that is asked over HTTP. Wrong options throw here, at once; nothing does later. */
export function protocolModel(id: string, options: ClientOptions, protocol: Protocol): Model {
  const reserved = protocol.reservedParameters.find((name) => name in (options.parameters ?? {}))
  if (reserved)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `${id}: the parameter ${reserved} is the runtime's to set. Remove it.`,
    )
  const { highestPrice } = protocol
  const { sees = usuallySees(protocol.model) } = options
  const headers = headersFrom(protocol, options)
  const secrets = secretsOf(headers)
  const endpoint = endpointFrom(id, options, protocol, headers)
  let spoken: Promise<Spoken> | Spoken | undefined
  let gate: string | undefined

  return {
    id,
    asks: protocol.model,
    ...(options.price && { price: { input: options.price.input, output: options.price.output } }),
    ...(highestPrice && { highestPrice: () => highestPrice }),
    ...(options.window !== undefined && { window: bound(id, "window", options.window) }),
    ...(sees.length > 0 && { sees }),
    host: endpoint.host,
    get gate() {
      gate ??= gateOf(endpoint.origin, secrets)
      return gate
    },
    ...(secrets.length > 0 && {
      redact: takesOut(secrets, (text) => redacted(text, secrets)),
      unfinished: (text: string) => unfinishedIn(text, secrets),
    }),
    async stream(request, onDelta) {
      spoken ??= speaking(endpoint, options, protocol)
      if (spoken instanceof Promise) spoken = await spoken
      return spoken.ask(request, onDelta, secrets)
    },
  }
}

/** A client whose parts are loaded. */
interface Spoken {
  ask(request: ModelRequest, onDelta: (delta: Delta) => void, secrets: readonly string[]): Promise<ModelReply>
}

async function speaking(endpoint: Endpoint, options: ClientOptions, protocol: Protocol): Promise<Spoken> {
  const [{ exchange }, { failure }, { StrictTools }, speech] = await Promise.all([
    import("./http.ts"),
    import("./failure.ts"),
    import("./strict-tools.ts"),
    protocol.speak(),
  ])
  const strict = new StrictTools(speech.strict, options)
  const newWriter = () => speech.writer(endpoint.expect, strict, endpoint.host)
  let write: ReturnType<Speech["writer"]> | undefined

  function judged(error: ModelError, request: ModelRequest): ModelError {
    const refusal = strict.refusal(error, request.tools) ?? speech.refusal?.(error, request)
    // A writer keeps what it wrote.
    if (refusal) write = newWriter()
    return refusal ?? error
  }

  return {
    async ask(request, onDelta, secrets) {
      const reply = speech.open(endpoint.host, onDelta)
      let error: ModelError | undefined
      try {
        write ??= newWriter()
        error = await exchange(endpoint, write(request), request.signal, reply)
      } catch (thrown) {
        const why = `The request to ${endpoint.host} could not be made: ${messageOf(thrown)}`
        error = failure("rejected", why, "final")
      }
      return reply.reply(error && judged(presentable(error, secrets), request))
    },
  }
}

/** A key read from a file often ends in a line break, which no header may hold. */
export const keyHeader = (name: string, key: string | undefined, scheme = ""): Record<string, string> =>
  key?.trim() ? { [name]: scheme + key.trim() } : {}

/** The same for whoever asks the same server with the same key. */
export function gateOf(origin: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return origin
  return `${origin}#${createHash("sha256").update(secrets.join("\n")).digest("hex").slice(0, 12)}`
}

export function bound(id: string, name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= longestTimer) return value
  throw new CadreError(
    "LIMIT_INVALID",
    `${id}: ${name} is ${value}. Give a whole number from 1 to ${longestTimer}.`,
  )
}

/** Above this a Node timer fires at once. */
const longestTimer = 2 ** 31 - 1

function endpointFrom(
  id: string,
  options: ClientOptions,
  protocol: Protocol,
  headers: Readonly<Record<string, string>>,
): Endpoint {
  const url = urlFrom(id, options.baseUrl ?? protocol.baseUrl)
  return {
    origin: url.origin,
    host: url.host,
    path: protocol.path(url.pathname.replace(/\/+$/, "")) + url.search,
    headers: Object.entries(headers).flat(),
    idleTimeout: bound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: bound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
    maxResponseBytes: bound(id, "maxResponseBytes", options.maxResponseBytes ?? 32 * 1024 * 1024),
    expect: options.stream ?? "sse",
  }
}

function headersFrom(protocol: Protocol, { headers }: ClientOptions): Readonly<Record<string, string>> {
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    ...protocol.headers,
    ...Object.fromEntries(given),
  }
}

function urlFrom(id: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url
  // The address is not shown: it may hold a password.
  throw new CadreError(
    "MODEL_UNKNOWN",
    `${id}: baseUrl is not an http or https address without a user name in it.`,
  )
}
