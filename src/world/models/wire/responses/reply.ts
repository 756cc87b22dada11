import type { Delta, ModelError, ModelReply, ReplyCall } from "../../../../agent/model.ts"
import type { Usage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, bodyReader } from "../body.ts"
import { type ModelPrice, type ProtocolReply, withCost } from "../client.ts"
import { errorObjectFailure, failure, noAnswerIn, noTerminalEvent } from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { count, fields, textOf } from "../json.ts"
import { writtenTokens } from "../openai/usage.ts"
import { keptFor, type Origin } from "../provider-data.ts"
import { withRefusal } from "../text.ts"
import { betweenTexts, layoutToKeep, type Part } from "./layout.ts"
import { type Item, OutputItems } from "./output.ts"
import { protocolKey } from "./request.ts"

/** Puts a response together, from a stream's events or from one JSON object. */
export class ResponsesReply implements ProtocolReply, Assembly {
  readonly host: string
  readonly lastData = "[DONE]"
  readonly needless = needlessEvents
  private readonly origin: Origin
  private readonly price: ModelPrice | undefined
  private readonly items: OutputItems
  private usage: Usage = {}
  private model: string | undefined
  /** How the provider says that it ended; undefined until then. */
  private end: { readonly status: string; readonly reason: string } | undefined
  /** The same in an event that is not known. */
  private otherEnd: Record<string, unknown> | undefined

  constructor(origin: Origin, onDelta: (delta: Delta) => void, price?: ModelPrice) {
    this.host = origin.host
    this.origin = origin
    this.price = price
    this.items = new OutputItems(onDelta)
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return bodyReader(this, kind, contentType)
  }

  nothingUsed(): void {
    this.usage = noUsage
  }

  addEvent(value: unknown): ModelError | "done" | undefined {
    const event = fields(value)
    switch (event.type) {
      case "error":
        return responseFailure(this.host, event.error ?? event)
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.takeEnd(fields(event.response), event.type.slice("response.".length)) ?? "done"
      default:
        // A gateway may fail in its own words.
        if (event.error) return responseFailure(this.host, event.error)
        if (event.response && isEnd(event)) this.otherEnd = fields(event.response)
        this.items.addEvent(event)
        return undefined
    }
  }

  addWhole(value: unknown): ModelError | undefined {
    const response = fields(value)
    if (!Array.isArray(response.output) && !response.error) return noAnswerIn(this.host, value, "any output")
    return this.takeEnd(response, "") ?? this.check("complete")
  }

  check(_: "complete" | "early"): ModelError | undefined {
    const error = this.end === undefined && this.otherEnd ? this.takeEnd(this.otherEnd, "") : undefined
    if (error) return error
    if (this.end === undefined) return noTerminalEvent(this.host)
    if (this.end.status !== "completed" || this.items.areWhole) return undefined
    return failure("protocol", `The stream from ${this.host} has a tool call without an end.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const { refusal, items } = this.items
    const texts: string[] = []
    const calls: ReplyCall[] = []
    const layout: Part[] = []
    for (const item of items) {
      if (item.type === "message" && item.text !== "") texts.push(item.text)
      if (item.type === "call")
        calls.push({ wire: item.id, tool: item.name, arguments: item.arguments || "{}" })
      const part = partOf(item)
      if (part) layout.push(part)
    }
    const common = {
      text: withRefusal(texts.join(betweenTexts), refusal),
      usage: this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const ended = refusal === "" ? endOf(this.end, calls.length) : ({ stop: "filter" } as const)
    // A response that was cut may have been cut inside a call, and what led to it is of no use without it.
    if (ended.stop !== "calls" && ended.stop !== "end")
      return { ...common, calls: [], ...ended, ...(calls.length > 0 && { cutCalls: calls.length }) }
    const kept = layoutToKeep(layout)
    return {
      ...common,
      calls,
      ...ended,
      ...(kept === undefined ? {} : { provider: keptFor(this.origin, protocolKey, kept) }),
    }
  }

  /** `said`: the end by the name of its event. It counts where the response itself says nothing, or less. */
  private takeEnd(response: Record<string, unknown>, said: string): ModelError | undefined {
    this.model = textOf(response.model) || undefined
    if (response.usage) this.usage = usageFrom(response.usage, this.price)
    const own = textOf(response.status)
    const status = own === "" || own === "completed" ? said || own : own
    if (status === "failed" || response.error) return responseFailure(this.host, response.error)
    this.end = { status, reason: textOf(fields(response.incomplete_details).reason) }
    this.items.addOutput(response.output)
    return undefined
  }
}

/** The first two repeat the instructions and tools of the request, and the rest what came in parts before. */
const needlessEvents: ReadonlySet<string> = new Set([
  "response.created",
  "response.in_progress",
  "response.content_part.added",
  "response.content_part.done",
  "response.output_text.done",
  "response.reasoning_summary_part.added",
  "response.reasoning_summary_part.done",
  "response.reasoning_summary_text.done",
  "response.reasoning_text.done",
  "response.refusal.done",
])

/** Whether an event of whatever name has a response that has ended, by its own word for that. */
const isEnd = ({ type, response }: Record<string, unknown>): boolean =>
  !needlessEvents.has(textOf(type)) && !/^(?:in_progress|queued)?$/.test(textOf(fields(response).status))

function responseFailure(host: string, error: unknown): ModelError {
  if (error) return errorObjectFailure(host, error)
  return failure("overloaded", `${host} said that its answer failed, and not why.`, "retry")
}

function endOf(
  end: { readonly status: string; readonly reason: string } | undefined,
  calls: number,
): Pick<ModelReply, "stop" | "finish"> {
  const { status, reason } = end ?? { status: "unknown", reason: "" }
  if (status === "completed") return { stop: calls > 0 ? "calls" : "end" }
  if (status === "incomplete" && reason === "max_output_tokens") return { stop: "length" }
  if (status === "incomplete" && reason === "content_filter") return { stop: "filter" }
  const finish = reason || status
  return { stop: "other", ...(finish !== "" && { finish }) }
}

function partOf(item: Item): Part | undefined {
  switch (item.type) {
    case "reasoning": {
      const { summary, content, sealed } = item
      // What is neither sealed nor open stands for something that the provider would have to store.
      if (sealed === "" && content.length === 0) return undefined
      return sealed === ""
        ? { type: "reasoning", summary, content }
        : { type: "reasoning", summary, encrypted_content: sealed }
    }
    case "message":
      if (item.text === "") return undefined
      return {
        type: "message",
        length: item.text.length,
        ...(item.phase === "" ? {} : { phase: item.phase }),
      }
    case "call":
      return { type: "call" }
    default:
      return undefined
  }
}

function usageFrom(given: unknown, price: ModelPrice | undefined): Usage {
  const usage = fields(given)
  const details = fields(usage.input_tokens_details)
  const input = count(usage.input_tokens)
  const cached = count(details.cached_tokens)
  const reasoning = count(fields(usage.output_tokens_details).reasoning_tokens)
  const output = writtenTokens(input, count(usage.output_tokens), count(usage.total_tokens), reasoning)
  const used = {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
  return withCost(used, price, count(details.cache_write_tokens))
}
