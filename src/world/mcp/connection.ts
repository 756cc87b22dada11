import type { Client } from "@modelcontextprotocol/client"
import { describeThrown } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { version } from "../../ground/version.ts"
import { type ArgumentHeader, makeArgumentHeaders } from "./argument-headers.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { GuardedTransport, type ServerWire } from "./guarded-transport.ts"
import type { ReadingMethod, ServerOffers } from "./reading-methods.ts"

/** An open connection to a server. */
export interface McpConnection {
  /** The server's instructions for models, unchanged. */
  readonly instructions?: string
  /** The name, version and protocol that the server reports. */
  readonly about: { readonly name?: string; readonly version?: string; readonly protocol?: string }
  /** Reads one page of a list. */
  list(method: string, cursor: string | undefined): Promise<JsonMap>
  /** The kinds of things that the server declares. */
  readonly offers: ServerOffers
  /** The server expects some arguments as headers, too. */
  readonly takesArgumentHeaders: boolean
  call(
    tool: string,
    input: JsonMap,
    options: CallOptions & { readonly headers?: readonly ArgumentHeader[] },
  ): Promise<Json>
  /** Asks for a resource, a prompt or a list of them. */
  read(method: ReadingMethod, params: JsonMap, options: CallOptions): Promise<Json>
  /** The number of times that the server has reported a change of its tools. */
  countListChanges(): number
  hasEnded(): boolean
  close(): Promise<void>
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** In milliseconds. Absent: the call lasts until the signal aborts. */
  readonly timeout?: number
  /** Answers the requests that the server has during the call. Absent: they are refused. */
  readonly hear?: Hear
  /** True while an earlier request of the server is unanswered. Absent: false. */
  readonly isBusy?: () => boolean
  /** The answers to what the server asked when it ended this call before. */
  readonly answers?: InputAnswers
}

type Hear = (request: ServerRequest) => Promise<JsonMap>

/** A request of a server in the middle of a call. */
export interface ServerRequest {
  readonly method: string
  readonly params: JsonMap
}

/** The answers to a server's questions, by its own keys, and the state that it wants back. */
export interface InputAnswers {
  readonly inputResponses: JsonMap
  readonly requestState?: string
}

export interface ConnectionOptions {
  readonly era?: "any" | "initialize"
  readonly roots?: "none" | "workspace"
  /** `offered`: the server may ask for replies of the model. Default: `none`. */
  readonly sampling?: "none" | "offered"
  /** `none`: no person answers, so a server does not offer the tools that would ask one. Default: `answered`. */
  readonly questions?: "answered" | "none"
}

/**
 * Opens a connection. `any` tries all versions of the protocol, `initialize` only those that begin with that request.
 * If it fails, it closes what it opened and throws a ServerFailure.
 */
export async function connectToServer(
  wire: ServerWire,
  bounds: McpBounds,
  { era = "any", roots = "none", questions = "answered", sampling = "none" }: ConnectionOptions = {},
): Promise<McpConnection> {
  const { Client: Package } = await import("@modelcontextprotocol/client")
  const client = new Package(
    { name: "cadre", version },
    {
      capabilities: {
        ...(questions === "answered" && { elicitation: { form: {}, url: {} } }),
        ...(roots === "workspace" && { roots: {} }),
        ...(sampling === "offered" && { sampling: {} }),
      },
      // In the newest protocol this opens the stream of changes. The transport counts them.
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => {} } },
      versionNegotiation: { mode: era === "any" ? "auto" : "legacy", probe: { timeoutMs: bounds.probe } },
      // A server may ask for input during a call. Its call rests until a person answers.
      inputRequired: { autoFulfill: false },
    },
  )
  const transport = new GuardedTransport(wire, bounds)
  // The package reports late answers, double answers and invalid messages here. None of them needs a reaction.
  client.onerror = () => {}
  try {
    await within(bounds.start, "start", (signal) =>
      client.connect(transport, { ...(signal && { signal }), timeout: maxTimeout }),
    )
  } catch (error) {
    const failure = await failureOf(error, wire)
    await wire.close()
    throw failure.type === "deadline"
      ? new ServerFailure("deadline", withLastOutput(failure.message, wire))
      : failure
  }
  return createConnection(client, transport, wire, bounds)
}

function createConnection(
  client: Client,
  transport: GuardedTransport,
  wire: ServerWire,
  bounds: McpBounds,
): McpConnection {
  const instructions = client.getInstructions()
  const { name, version: serverVersion } = mapOrEmpty(client.getServerVersion())
  const capabilities = mapOrEmpty(client.getServerCapabilities())
  const protocol = client.getNegotiatedProtocolVersion()
  let hasEnded = false
  void wire.ended.then(() => {
    hasEnded = true
  })
  /** The calls that the server works on, the oldest first. The protocol does not say which of them a request is for. */
  const open = new Map<Hear, (() => boolean) | undefined>()
  transport.hear = (method, params) => {
    const calls = [...open]
    // A call whose server waits for a person may stay so for hours. Another call must not wait for that.
    const [first] = calls.find(([, isBusy]) => isBusy?.() !== true) ?? calls[0] ?? []
    return first ? first({ method, params }) : Promise.reject(new ServerFailure("answer", noOpenCall))
  }
  const ask = async (
    what: string,
    time: number | undefined,
    work: (signal?: AbortSignal) => Promise<unknown>,
  ): Promise<Json> => {
    try {
      // The package reads a copy; the transport has kept the server's own answer.
      return transport.take(await within(time, what, work))
    } catch (error) {
      throw await failureOf(error, wire)
    }
  }
  const request = async (
    what: string,
    method: string,
    params: JsonMap,
    { signal, timeout, hear, isBusy, answers }: CallOptions,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    if (hear) open.set(hear, isBusy)
    try {
      return await ask(what, timeout, (deadline) =>
        client.request({ method, params: { ...params, ...answers } }, anySchema, {
          // Joining two signals is slow, so a call without a timeout uses its own signal.
          signal: deadline ? AbortSignal.any([signal, deadline]) : signal,
          timeout: maxTimeout,
          headers,
        }),
      )
    } finally {
      if (hear) open.delete(hear)
    }
  }
  return {
    ...(typeof instructions === "string" && { instructions }),
    about: {
      ...(typeof name === "string" && { name }),
      ...(typeof serverVersion === "string" && { version: serverVersion }),
      ...(protocol !== undefined && { protocol }),
    },
    async list(method, cursor) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await ask(`answer ${method}`, bounds.list, (signal) =>
        client.request({ method, params }, anySchema, { ...(signal && { signal }), timeout: maxTimeout }),
      )
      return isMap(result) ? result : {}
    },
    offers: {
      tools: capabilities.tools !== undefined,
      resources: capabilities.resources !== undefined,
      prompts: capabilities.prompts !== undefined,
    },
    takesArgumentHeaders: wire.reaches === "address" && client.getProtocolEra() === "modern",
    call: (tool, input, { headers = [], ...options }) =>
      request(
        `answer the call of ${tool}`,
        "tools/call",
        { name: tool, arguments: input },
        options,
        makeArgumentHeaders(headers, input),
      ),
    read: (method, params, options) => request(`answer ${method}`, method, params, options),
    countListChanges: () => transport.listChanges,
    hasEnded: () => hasEnded,
    close: () => client.close(),
  }
}

export const noOpenCall = "no call is open that this could be for"

/** Accepts every answer. `read-tools.ts` and `read-result.ts` check its parts. */
const anySchema = {
  "~standard": {
    version: 1,
    vendor: "cadre",
    validate: (value: unknown) => ({ value }),
  },
} as const

/** `within` has the real deadline. After its own timeout the package would not tell the server that the call is cancelled. */
const maxTimeout = 2 ** 31 - 1

async function within<Value>(
  time: number | undefined,
  what: string,
  work: (signal?: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (time === undefined) return work()
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new ServerFailure("deadline", `it did not ${what} within ${time} ms`)),
    time,
  )
  try {
    return await work(deadline.signal)
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** If the server has ended, its own reason replaces the package's "connection closed". */
async function failureOf(error: unknown, wire: ServerWire): Promise<ServerFailure> {
  if (error instanceof ServerFailure && error.type !== "ended") return error
  const why = error instanceof ServerFailure ? await wire.ended : await Promise.race([wire.ended, nextTick()])
  if (why !== undefined) return new ServerFailure("ended", withLastOutput(why, wire))
  if (error instanceof ServerFailure) return error
  return new ServerFailure("answer", describeThrown(error) + withStatus(error), error)
}

function withStatus(error: unknown): string {
  const { data } = error as { readonly data?: { readonly status?: unknown } | null }
  return typeof data?.status === "number" ? ` (HTTP ${data.status})` : ""
}

const nextTick = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined))

const withLastOutput = (why: string, { lastOutput }: ServerWire): string =>
  lastOutput === "" ? why : `${why}. The last output of the server: ${lastOutput}`

const mapOrEmpty = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
