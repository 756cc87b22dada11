import type { ModelDelta, ModelError, ModelReply, ReplyCall } from "../../../../agent/model.ts"
import type { TokenUsage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, createBodyReader } from "../body.ts"
import { addCost, type ModelPrice, type ProtocolReply } from "../client.ts"
import {
  createErrorObjectFailure,
  createMissingAnswerFailure,
  createModelFailure,
  createNoTerminalEventFailure,
} from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { readCount, readFields, toStringOrEmpty } from "../json.ts"
import { countOutputTokens } from "../openai/usage.ts"
import { packProviderData, type ReplyOrigin } from "../provider-data.ts"
import { joinRefusal } from "../text.ts"
import { betweenTexts, keepResponseLayout, type ResponsePart } from "./layout.ts"
import { type OutputItem, OutputItems } from "./output.ts"
import { protocolKey } from "./request.ts"

/** Builds a reply from a response's stream of events or from one JSON object. */
export class ResponsesReply implements ProtocolReply, Assembly {
  readonly host: string
  readonly lastData = "[DONE]"
  readonly ignoredEvents = needlessEvents
  private readonly origin: ReplyOrigin
  private readonly price: ModelPrice | undefined
  private readonly items: OutputItems
  private usage: TokenUsage = {}
  private model: string | undefined
  /** The end that the provider reported. Undefined until then. */
  private end: { readonly status: string; readonly reason: string } | undefined
  /** The end from an unknown event. */
  private otherEnd: Record<string, unknown> | undefined

  constructor(origin: ReplyOrigin, onDelta: (delta: ModelDelta) => void, price?: ModelPrice) {
    this.host = origin.host
    this.origin = origin
    this.price = price
    this.items = new OutputItems(onDelta)
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return createBodyReader(this, kind, contentType)
  }

  nothingUsed(): void {
    this.usage = noUsage
  }

  addEvent(value: unknown): ModelError | "done" | undefined {
    const event = readFields(value)
    switch (event.type) {
      case "error":
        return responseFailure(this.host, event.error ?? event)
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.takeEnd(readFields(event.response), event.type.slice("response.".length)) ?? "done"
      default:
        // A gateway may report an error in its own form.
        if (event.error) return responseFailure(this.host, event.error)
        if (event.response && isEnd(event)) this.otherEnd = readFields(event.response)
        this.items.addEvent(event)
        return undefined
    }
  }

  addWhole(value: unknown): ModelError | undefined {
    const response = readFields(value)
    if (!Array.isArray(response.output) && !response.error)
      return createMissingAnswerFailure(this.host, value, "any output")
    return this.takeEnd(response, "") ?? this.check("complete")
  }

  check(_: "complete" | "early"): ModelError | undefined {
    const error = this.end === undefined && this.otherEnd ? this.takeEnd(this.otherEnd, "") : undefined
    if (error) return error
    if (this.end === undefined) return createNoTerminalEventFailure(this.host)
    if (this.end.status !== "completed" || this.items.areWhole) return undefined
    return createModelFailure(
      "protocol",
      `The stream from ${this.host} has a tool call without an end.`,
      "retry",
    )
  }

  reply(error: ModelError | undefined): ModelReply {
    const { refusal, items } = this.items
    const texts: string[] = []
    const calls: ReplyCall[] = []
    const layout: ResponsePart[] = []
    for (const item of items) {
      if (item.type === "message" && item.text !== "") texts.push(item.text)
      if (item.type === "call")
        calls.push({ wire: item.id, tool: item.name, arguments: item.arguments || "{}" })
      const part = partOf(item)
      if (part) layout.push(part)
    }
    const common = {
      text: joinRefusal(texts.join(betweenTexts), refusal),
      usage: this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const ending = refusal === "" ? endOf(this.end, calls.length) : ({ stop: "filter" } as const)
    // A cut response may have been cut inside a call, and reasoning is useless without the call that it led to.
    if (ending.stop !== "calls" && ending.stop !== "end")
      return { ...common, calls: [], ...ending, ...(calls.length > 0 && { cutCalls: calls.length }) }
    const keptLayout = keepResponseLayout(layout)
    return {
      ...common,
      calls,
      ...ending,
      ...(keptLayout === undefined
        ? {}
        : { provider: packProviderData(this.origin, protocolKey, keptLayout) }),
    }
  }

  /**
   * Reads the end of a response. `said`: the end by the name of the event, which counts if the response itself gives no
   * status, or `completed`.
   */
  private takeEnd(response: Record<string, unknown>, eventStatus: string): ModelError | undefined {
    this.model = toStringOrEmpty(response.model) || undefined
    if (response.usage) this.usage = usageFrom(response.usage, this.price)
    const ownStatus = toStringOrEmpty(response.status)
    const status = ownStatus === "" || ownStatus === "completed" ? eventStatus || ownStatus : ownStatus
    if (status === "failed" || response.error) return responseFailure(this.host, response.error)
    this.end = { status, reason: toStringOrEmpty(readFields(response.incomplete_details).reason) }
    this.items.addOutput(response.output)
    return undefined
  }
}

/** Events that only repeat: the first two the request, the rest what already came in parts. */
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

/** True if an event of any name contains an ended response, by the response's own status. */
const isEnd = ({ type, response }: Record<string, unknown>): boolean =>
  !needlessEvents.has(toStringOrEmpty(type)) &&
  !/^(?:in_progress|queued)?$/.test(toStringOrEmpty(readFields(response).status))

function responseFailure(host: string, error: unknown): ModelError {
  if (error) return createErrorObjectFailure(host, error)
  return createModelFailure("overloaded", `${host} reported a failed answer without a reason.`, "retry")
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

function partOf(item: OutputItem): ResponsePart | undefined {
  switch (item.type) {
    case "reasoning": {
      const { summary, content, sealed } = item
      // Reasoning without content refers to something that the provider would have to store.
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

function usageFrom(report: unknown, price: ModelPrice | undefined): TokenUsage {
  const usage = readFields(report)
  const details = readFields(usage.input_tokens_details)
  const input = readCount(usage.input_tokens)
  const cached = readCount(details.cached_tokens)
  const reasoning = readCount(readFields(usage.output_tokens_details).reasoning_tokens)
  const output = countOutputTokens(
    input,
    readCount(usage.output_tokens),
    readCount(usage.total_tokens),
    reasoning,
  )
  const tokens = {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
  return addCost(tokens, price, readCount(details.cache_write_tokens))
}
