import fs from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import type { Model, ModelDelta, ModelReply } from "../../src/agent/model.ts"
import { requestWith } from "../../src/faces/testing/plain-request.ts"
import type { Json, JsonMap, Message } from "../../src/ground/message.ts"
import { material } from "../material.ts"

/** Exchanges with real providers, which are not part of the project. */
export const recordings = material("recordings", "exchanges.jsonl")
/** A few of our own, in the same shapes. */
export const ownRecordings = path.resolve(import.meta.dirname, "recordings/exchanges.jsonl")

/** One HTTP exchange. Those of one `source` belong to one conversation, in the order of their `index`. */
export interface Exchange {
  readonly source: string
  readonly index: number
  readonly protocol: "chat" | "messages" | "responses"
  readonly host: string
  readonly status: number
  readonly contentType: string
  readonly stream: boolean
  readonly request: JsonMap
  readonly response: string
}

/** What a protocol's test knows of it. */
export interface RecordedProtocol {
  readonly name: Exchange["protocol"]
  open(options: {
    readonly baseUrl: string
    readonly model: string
    readonly stream: "sse" | "json"
    readonly host: string
  }): Model
  /** What the client must make of a recorded answer, read from it in another way than the client does. */
  expected(exchange: Exchange): Partial<ModelReply>
  /** The class of an error that stands in an answer of status 200, and whether it passes. */
  error?(exchange: Exchange): readonly [string, boolean] | undefined
  /** The history of a request, without what only its provider reads. */
  history(request: JsonMap): readonly Message[]
  /** The same as items that can be compared: what every request must say again. */
  items(request: JsonMap, host: string): readonly JsonMap[]
}

/** The exchanges of a protocol in a file, by conversation; none where the file is not there. */
export function conversationsIn(
  file: string,
  protocol: Exchange["protocol"],
): readonly (readonly Exchange[])[] {
  if (!fs.existsSync(file)) return []
  const all = fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Exchange => JSON.parse(line))
    .filter((exchange) => exchange.protocol === protocol)
    .sort((left, right) => left.index - right.index)
  const sources = [...new Set(all.map(({ source }) => source))]
  return sources.map((source) => all.filter((exchange) => exchange.source === source))
}

export interface Replayed {
  readonly reply: ModelReply
  readonly deltas: readonly ModelDelta[]
  /** What the client sent. */
  readonly sent: JsonMap
}

/**
 * Sends the recorded answers of a conversation, whole or in pieces of so many bytes, to a client that asks in the same
 * way. Each request after the first has the replies before it, and what was said to them in the recorded request.
 */
export async function replay(
  { open, history }: RecordedProtocol,
  conversation: readonly Exchange[],
  bytes = Number.POSITIVE_INFINITY,
): Promise<readonly Replayed[]> {
  const sent: JsonMap[] = []
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const exchange = conversation[sent.length]!
    sent.push(JSON.parse(Buffer.concat(parts).toString()))
    const body = Buffer.from(exchange.response)
    response.writeHead(exchange.status, { "content-type": exchange.contentType })
    for (let at = 0; at < body.length; at += bytes) response.write(body.subarray(at, at + bytes))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const replayed: Replayed[] = []
  try {
    let messages: readonly Message[] = []
    for (const [index, { request, stream, host }] of conversation.entries()) {
      const before = conversation[index - 1]
      messages = before
        ? [...messages, ...sinceAnswer(history(request), history(before.request))]
        : history(request)
      const model = open({
        baseUrl: origin,
        model: String(request.model),
        stream: stream ? "sse" : "json",
        host,
      })
      const deltas: ModelDelta[] = []
      const reply = await model.stream(requestWith({ messages, tools: [] }), (delta) => deltas.push(delta))
      replayed.push({ reply, deltas, sent: sent[index]! })
      const next = conversation[index + 1]
      if (next) messages = [...messages, answerOf(reply, history(next.request), history(request))]
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return replayed
}

/** Conversations of which a turn is missing are several. */
export function unbroken(conversation: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const parts: Exchange[][] = []
  for (const exchange of conversation) {
    const before = parts.at(-1)?.at(-1)
    const goesOn = before !== undefined && before.status < 300 && before.index === exchange.index - 1
    if (goesOn && isLonger(exchange, before)) parts.at(-1)!.push(exchange)
    else parts.push([exchange])
  }
  return parts
}

const isLonger = ({ request }: Exchange, { request: before }: Exchange): boolean =>
  JSON.stringify(request.input ?? request.messages).length >
  JSON.stringify(before.input ?? before.messages).length

/** What a reply is in a history. Its calls have the ids that the recorded request knows them by. */
function answerOf(
  { text, calls, provider }: ModelReply,
  next: readonly Message[],
  before: readonly Message[],
): Message {
  const known = next.find(({ role }, index) => index >= before.length && role === "assistant")
  const wires = known?.role === "assistant" ? known.calls : []
  return {
    role: "assistant",
    text,
    calls: [
      ...calls.map((call, index) => ({ ...call, id: `c${index}`, wire: wires[index]?.wire ?? call.wire })),
      // Of whoever recorded it.
      ...wires.slice(calls.length),
    ],
    ...(provider !== undefined && { provider }),
  }
}

/** Whoever recorded it may have put turns of its own behind the answer. */
const sinceAnswer = (messages: readonly Message[], before: readonly Message[]): readonly Message[] => {
  const place = messages.findIndex(({ role }, index) => index >= before.length && role === "assistant")
  return messages.slice(place + 1)
}

/** The values of an event stream. */
export const eventsIn = (text: string): readonly JsonMap[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)))

/** What a provider says where it refuses. */
export function messageIn(response: string): string {
  const { error } = JSON.parse(response) as { readonly error: { readonly message: Json } }
  return String(error.message)
}
