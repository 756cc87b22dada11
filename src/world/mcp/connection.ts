import type { Client } from "@modelcontextprotocol/client"
import { messageOf } from "../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { version } from "../../ground/version.ts"
import type { McpBounds } from "./bounds.ts"
import { ServerFailure } from "./failure.ts"
import { GuardedTransport, type Wire } from "./guarded-transport.ts"

/** A server that can be asked for its tools. */
export interface Connection {
  /** Its words for models, as they are. */
  readonly instructions?: string
  /** What it says that it is. */
  readonly about: { readonly name?: string; readonly version?: string; readonly protocol?: string }
  /** One page of a list. */
  list(method: string, cursor: string | undefined): Promise<JsonMap>
  call(tool: string, input: JsonMap, options: CallOptions): Promise<Json>
  hasEnded(): boolean
  close(): Promise<void>
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Milliseconds; left out: until the signal says so. */
  readonly timeout?: number
}

/**
 * Opens a connection, in whichever version of the protocol the server speaks. Throws a ServerFailure; then nothing of the
 * connection is left.
 */
export async function connect(
  wire: Wire,
  bounds: McpBounds,
  era: "any" | "initialize" = "any",
): Promise<Connection> {
  const { Client: Package } = await import("@modelcontextprotocol/client")
  const client = new Package(
    { name: "cadre", version },
    {
      capabilities: {},
      versionNegotiation: { mode: era === "any" ? "auto" : "legacy", probe: { timeoutMs: bounds.probe } },
      // What it asks of a person in the middle of a call nobody answers: the call fails and says so.
      inputRequired: { autoFulfill: false },
    },
  )
  const transport = new GuardedTransport(wire, bounds)
  // Late and double answers, and what is no message: none of it is of use to anybody.
  client.onerror = () => {}
  try {
    await within(bounds.start, "start", (signal) => client.connect(transport, { signal, timeout: longest }))
  } catch (error) {
    const failure = await failureOf(error, wire)
    await wire.close()
    throw failure.type === "deadline"
      ? new ServerFailure("deadline", withWords(failure.message, wire))
      : failure
  }
  return opened(client, transport, wire, bounds)
}

function opened(client: Client, transport: GuardedTransport, wire: Wire, bounds: McpBounds): Connection {
  const instructions = client.getInstructions()
  const { name, version: ofServer } = mapOrEmpty(client.getServerVersion())
  const protocol = client.getNegotiatedProtocolVersion()
  let hasEnded = false
  void wire.ended.then(() => {
    hasEnded = true
  })
  const ask = async (
    what: string,
    time: number | undefined,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Json> => {
    try {
      return transport.take(await within(time, what, work))
    } catch (error) {
      throw await failureOf(error, wire)
    }
  }
  return {
    ...(typeof instructions === "string" && { instructions }),
    about: {
      ...(typeof name === "string" && { name }),
      ...(typeof ofServer === "string" && { version: ofServer }),
      ...(protocol !== undefined && { protocol }),
    },
    async list(method, cursor) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await ask(`answer ${method}`, bounds.list, (signal) =>
        client.request({ method, params }, anything, { signal, timeout: longest }),
      )
      return isMap(result) ? result : {}
    },
    call: (tool, input, { signal, timeout }) =>
      ask(`answer the call of ${tool}`, timeout, (deadline) =>
        client.request({ method: "tools/call", params: { name: tool, arguments: input } }, anything, {
          // Joining signals takes longer than asking.
          signal: timeout === undefined ? signal : AbortSignal.any([signal, deadline]),
          timeout: longest,
        }),
      ),
    hasEnded: () => hasEnded,
    close: () => client.close(),
  }
}

/** As the server says it: each part is read by itself. */
const anything = {
  "~standard": {
    version: 1,
    vendor: "cadre",
    validate: (value: unknown) => ({ value }),
  },
} as const

/** The package tells a server to stop only where its own clock has not run out. */
const longest = 2 ** 31 - 1

async function within<Value>(
  time: number | undefined,
  what: string,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const deadline = new AbortController()
  const timer =
    time === undefined
      ? undefined
      : setTimeout(
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

/** What became of a server that has ended says more than that its connection was closed. */
async function failureOf(error: unknown, wire: Wire): Promise<ServerFailure> {
  if (error instanceof ServerFailure && error.type !== "ended") return error
  const why =
    error instanceof ServerFailure ? await wire.ended : await Promise.race([wire.ended, nextRound()])
  if (why !== undefined) return new ServerFailure("ended", withWords(why, wire))
  if (error instanceof ServerFailure) return error
  return new ServerFailure("answer", messageOf(error) + withStatus(error), error)
}

function withStatus(error: unknown): string {
  const { data } = error as { readonly data?: { readonly status?: unknown } | null }
  return typeof data?.status === "number" ? ` (HTTP ${data.status})` : ""
}

const nextRound = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined))

const withWords = (why: string, { lastWords }: Wire): string =>
  lastWords === "" ? why : `${why}. The last that it printed: ${lastWords}`

const mapOrEmpty = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
