import type { Model, ModelDelta, ModelError, ModelReply, ModelRequest } from "../../../agent/model.ts"
import { createHash } from "../../../ground/crypto.ts"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import type { Json, TokenUsage } from "../../../ground/message.ts"
import type { KnownOptions } from "../../../ground/options.ts"
import { computeUnfinishedLength, registerRedaction } from "../secrets.ts"
import { guessSeenTypes } from "../sees.ts"
import type { BodyKind, HttpAnswer, HttpEndpoint } from "./http.ts"
import type { StrictRules, StrictTools } from "./strict-tools.ts"
import { collectHeaderSecrets, presentError, redactSecrets } from "./text.ts"

/** The parts of a wire protocol, apart from HTTP. */
export interface Protocol {
  /** The provider's name for the model. */
  readonly model: string
  readonly baseUrl: string
  /** The path of requests, from the path of the base URL without a final slash. */
  path(base: string): string
  /** The protocol's own headers. The caller's headers override them. */
  readonly headers: Readonly<Record<string, string>>
  /** Parameters that only the runtime may set. */
  readonly reservedParameters: readonly string[]
  /** The highest price of a token, if it is above the usual price. */
  readonly highestPrice?: { readonly input: number; readonly output: number }
  /** Loads the code for requests, before the first one. */
  speak(): Promise<Speech>
}

/** Writes a protocol's requests and reads its answers. */
export interface Speech {
  readonly strict: StrictRules
  writer(stream: BodyKind, strict: StrictTools, host: string): (request: ModelRequest) => Buffer
  /** Turns a refusal that the protocol can avoid into a retryable error: the next writer omits what was refused. */
  refusal?(error: ModelError, request: ModelRequest): ModelError | undefined
  open(host: string, onDelta: (delta: ModelDelta) => void): ProtocolReply
}

export interface ProtocolReply extends HttpAnswer {
  reply(error: ModelError | undefined): ModelReply
}

/** The price of a token. `cacheRead`: of a token from the provider's cache. */
export interface ModelPrice {
  /** US dollars for one input token that comes from no cache. */
  readonly input: number
  /** US dollars for one output token, including reasoning. */
  readonly output: number
  /** US dollars for one input token from the provider's cache. Default: the price of `input`. */
  readonly cacheRead?: number
  /** The price of a token that is written to the cache. Only newer models of OpenAI have one. */
  readonly cacheWrite?: number
}

/**
 * Adds the cost to a usage. Only the client can compute it if cached tokens, or tokens written to the cache
 * (`written`), have their own price.
 */
export function addCost(usage: TokenUsage, price: ModelPrice | undefined, written = 0): TokenUsage {
  const { inputTokens, outputTokens, cachedTokens } = usage
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return usage
  const hasOwnPrice =
    (price.cacheRead !== undefined && cachedTokens !== undefined) ||
    (price.cacheWrite !== undefined && written > 0)
  if (!hasOwnPrice) return usage
  const cachedInput = Math.min(cachedTokens ?? 0, inputTokens)
  const writtenTokens = Math.min(written, inputTokens - cachedInput)
  const cost =
    (inputTokens - cachedInput - writtenTokens) * price.input +
    cachedInput * (price.cacheRead ?? price.input) +
    writtenTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output
  return { ...usage, cost }
}

/** The options that every protocol has. */
export interface ClientOptions {
  readonly baseUrl?: string
  /** Headers for every request. They override the default headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** The form of the answer: a stream of events (default), or one JSON object. */
  readonly stream?: BodyKind
  readonly parameters?: Readonly<Record<string, Json>>
  /** The longest silence of the provider, in milliseconds. Default: 300,000. */
  readonly idleTimeout?: number
  /** The time for the whole answer, in milliseconds. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** Default: 33,554,432. */
  readonly maxResponseBytes?: number
  readonly price?: Model["price"]
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** Media types that the model reads besides text. Default: those that models of this name usually read. */
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

/** Creates a model that is reached over HTTP. Invalid options throw here; nothing throws later. */
export function createProtocolModel(id: string, options: ClientOptions, protocol: Protocol): Model {
  const reserved = protocol.reservedParameters.find((name) => name in (options.parameters ?? {}))
  if (reserved)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `${id}: the runtime sets the parameter ${reserved} itself. Remove it.`,
    )
  const { highestPrice } = protocol
  const { sees = guessSeenTypes(protocol.model) } = options
  const headers = headersFrom(protocol, options)
  const secrets = collectHeaderSecrets(headers)
  const endpoint = endpointFrom(id, options, protocol, headers)
  let client: Promise<LoadedClient> | LoadedClient | undefined
  let rateLimitGroup: string | undefined

  return {
    id,
    asks: protocol.model,
    ...(options.price && { price: { input: options.price.input, output: options.price.output } }),
    ...(highestPrice && { highestPrice: () => highestPrice }),
    ...(options.window !== undefined && { window: requireBound(id, "window", options.window) }),
    ...(sees.length > 0 && { sees }),
    host: endpoint.host,
    get rateLimitGroup() {
      rateLimitGroup ??= makeRateLimitGroup(endpoint.origin, secrets)
      return rateLimitGroup
    },
    ...(secrets.length > 0 && {
      redact: registerRedaction(secrets, (text) => redactSecrets(text, secrets)),
      unfinished: (text: string) => computeUnfinishedLength(text, secrets),
    }),
    async stream(request, onDelta) {
      client ??= loadClient(endpoint, options, protocol)
      if (client instanceof Promise) client = await client
      return client.ask(request, onDelta, secrets)
    },
  }
}

/** A client whose code is loaded. */
interface LoadedClient {
  ask(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    secrets: readonly string[],
  ): Promise<ModelReply>
}

async function loadClient(
  endpoint: HttpEndpoint,
  options: ClientOptions,
  protocol: Protocol,
): Promise<LoadedClient> {
  const [{ postRequest }, { createModelFailure }, { StrictTools }, speech] = await Promise.all([
    import("./http.ts"),
    import("./failure.ts"),
    import("./strict-tools.ts"),
    protocol.speak(),
  ])
  const strict = new StrictTools(speech.strict, options)
  const newWriter = () => speech.writer(endpoint.expect, strict, endpoint.host)
  let write: ReturnType<Speech["writer"]> | undefined

  function judgeError(error: ModelError, request: ModelRequest): ModelError {
    const refusal = strict.refusal(error, request.tools) ?? speech.refusal?.(error, request)
    // A writer caches what it wrote, so a new one is needed.
    if (refusal) write = newWriter()
    return refusal ?? error
  }

  return {
    async ask(request, onDelta, secrets) {
      const reply = speech.open(endpoint.host, onDelta)
      let error: ModelError | undefined
      try {
        write ??= newWriter()
        error = await postRequest(endpoint, write(request), request.signal, reply)
      } catch (thrown) {
        const why = `The request to ${endpoint.host} could not be made: ${describeThrown(thrown)}`
        error = createModelFailure("rejected", why, "final")
      }
      return reply.reply(error && judgeError(presentError(error, secrets), request))
    },
  }
}

/** Trims the key: a key from a file often ends with a line break, which no header may contain. */
export const makeKeyHeader = (name: string, key: string | undefined, scheme = ""): Record<string, string> =>
  key?.trim() ? { [name]: scheme + key.trim() } : {}

/** The rate limit group of a server and key. All models with the same server and key share it. */
export function makeRateLimitGroup(origin: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return origin
  return `${origin}#${createHash("sha256").update(secrets.join("\n")).digest("hex").slice(0, 12)}`
}

export function requireBound(id: string, name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= longestTimer) return value
  throw new CadreError(
    "LIMIT_INVALID",
    `${id}: ${name} is ${value}. Give a whole number from 1 to ${longestTimer}.`,
  )
}

/** A Node timer with a longer delay fires immediately. */
const longestTimer = 2 ** 31 - 1

function endpointFrom(
  id: string,
  options: ClientOptions,
  protocol: Protocol,
  headers: Readonly<Record<string, string>>,
): HttpEndpoint {
  const url = urlFrom(id, options.baseUrl ?? protocol.baseUrl)
  return {
    origin: url.origin,
    host: url.host,
    path: protocol.path(url.pathname.replace(/\/+$/, "")) + url.search,
    headers: Object.entries(headers).flat(),
    idleTimeout: requireBound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: requireBound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
    maxResponseBytes: requireBound(id, "maxResponseBytes", options.maxResponseBytes ?? 32 * 1024 * 1024),
    expect: options.stream ?? "sse",
  }
}

function headersFrom(protocol: Protocol, { headers }: ClientOptions): Readonly<Record<string, string>> {
  const ownHeaders = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    ...protocol.headers,
    ...Object.fromEntries(ownHeaders),
  }
}

function urlFrom(id: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url
  // The address is not shown, because it may contain a password.
  throw new CadreError(
    "MODEL_UNKNOWN",
    `${id}: baseUrl must be an http or https address without a user name.`,
  )
}
