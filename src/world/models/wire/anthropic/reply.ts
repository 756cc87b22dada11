import type { ModelDelta, ModelError, ModelReply } from "../../../../agent/model.ts"
import type { TokenUsage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, createBodyReader } from "../body.ts"
import type { ProtocolReply } from "../client.ts"
import {
  createErrorObjectFailure,
  createMissingAnswerFailure,
  createModelFailure,
  createNoTerminalEventFailure,
  isOutrightRefusal,
} from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { readCount, readFields, readFinishWord, toStringOrEmpty } from "../json.ts"
import { packProviderData, type ReplyOrigin } from "../provider-data.ts"
import { type AnthropicPart, keepAnthropicLayout } from "./layout.ts"

/** The price of a token by its use. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface AnthropicReplyOptions {
  readonly origin: ReplyOrigin
  readonly price?: TokenPrice
}

/** Builds a reply from a stream of events or from one JSON message. */
export class AnthropicReply implements ProtocolReply, Assembly {
  private readonly onDelta: (delta: ModelDelta) => void
  private readonly options: AnthropicReplyOptions
  private readonly blocks: Block[] = []
  private readonly blockAt = new Map<unknown, Block>()
  private readonly tokens: Record<string, number> = {}
  private model: string | undefined
  private finish: string | undefined
  private refusal = ""
  private answered = false
  /** False until the end: the usage at the start of a message counts only the beginning of its output. */
  private isCounted = false

  constructor(onDelta: (delta: ModelDelta) => void, options: AnthropicReplyOptions) {
    this.onDelta = onDelta
    this.options = options
  }

  get host(): string {
    return this.options.origin.host
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return createBodyReader(this, kind, contentType)
  }

  nothingUsed(): void {
    this.tokens.input_tokens = 0
    this.tokens.output_tokens = 0
    this.isCounted = true
  }

  addEvent(value: unknown): ModelError | "done" | undefined {
    const event = readFields(value)
    if (event.error) return createErrorObjectFailure(this.host, event.error)
    switch (event.type) {
      case "message_start":
        if (this.answered) return this.outOfOrder("a second message inside the first")
        this.takeMessage(readFields(event.message))
        return undefined
      case "content_block_start":
        this.blockAt.set(event.index, this.begin(readFields(event.content_block)))
        return undefined
      case "content_block_delta": {
        const block = this.blockAt.get(event.index)
        if (block) this.extend(block, readFields(event.delta))
        return block ? undefined : this.outOfOrder("a part of a block that never began")
      }
      case "content_block_stop":
        this.end(this.blockAt.get(event.index))
        return undefined
      case "message_delta":
        this.takeEnd(readFields(event.delta))
        this.takeUsage(readFields(event.usage))
        return undefined
      case "message_stop":
        return "done"
      default:
        // Ignored: pings, and future additions to the protocol.
        return undefined
    }
  }

  addWhole(value: unknown): ModelError | undefined {
    const message = readFields(value)
    if (message.error) return createErrorObjectFailure(this.host, message.error)
    if (!Array.isArray(message.content)) return createMissingAnswerFailure(this.host, value, "a message")
    this.takeMessage(message)
    this.takeEnd(message)
    for (const block of message.content) this.end(this.begin(readFields(block)))
    return undefined
  }

  check(end: "complete" | "early"): ModelError | undefined {
    if (end === "early") return createNoTerminalEventFailure(this.host)
    if (!this.answered)
      return createModelFailure("protocol", `${this.host} answered without a message.`, "retry")
    const hasOpenCall = this.blocks.some((block) => block.type === "tool_use" && !block.ended)
    // In a cut reply, or one with an unknown end, no call runs anyway.
    const isWhole = this.finish !== undefined && wholeEnds.has(this.finish)
    return hasOpenCall && isWhole ? this.outOfOrder("a tool call without an end") : undefined
  }

  reply(error: ModelError | undefined): ModelReply {
    const text = this.blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
    const common = {
      text: text || this.refusal,
      usage: error && !this.answered && isOutrightRefusal(error) ? noUsage : this.usage(),
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const askedCalls = this.blocks.filter((block) => block.type === "tool_use")
    const stop = stopFrom(this.finish, askedCalls.length)
    const isWhole = stop === "calls" || stop === "end"
    // A cut answer may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? askedCalls : []
    const layout = keepAnthropicLayout(partsOf(this.blocks, new Set(calls)))
    return {
      ...common,
      calls: calls.map((call) => ({ wire: call.id, tool: call.name, arguments: argumentsOf(call) })),
      stop,
      ...(isWhole || this.finish === undefined ? {} : { finish: this.finish }),
      ...(isWhole || askedCalls.length === 0 ? {} : { cutCalls: askedCalls.length }),
      ...(layout === undefined
        ? {}
        : { provider: packProviderData(this.options.origin, "anthropic", layout) }),
    }
  }

  private takeMessage(message: Record<string, unknown>): void {
    this.answered = true
    this.model = toStringOrEmpty(message.model) || undefined
    this.takeUsage(readFields(message.usage))
  }

  private takeEnd(end: Record<string, unknown>): void {
    this.isCounted = true
    const reason = readFinishWord(end.stop_reason)
    // An incomplete end stays incomplete, even if another one follows.
    if (reason !== undefined && (this.finish === undefined || wholeEnds.has(this.finish)))
      this.finish = reason
    this.refusal = toStringOrEmpty(readFields(end.stop_details).explanation)
  }

  private begin(content: Record<string, unknown>): Block {
    const block = blockFrom(content)
    this.blocks.push(block)
    this.tell(block)
    return block
  }

  /** Reports the content at a block's start. In a stream that is usually nothing. */
  private tell(block: Block): void {
    if (block.type === "text" && block.text !== "") this.onDelta({ type: "text", text: block.text })
    if (block.type === "thinking" && block.thinking !== "")
      this.onDelta({ type: "reasoning", text: block.thinking })
  }

  private extend(block: Block, delta: Record<string, unknown>): void {
    if (block.type === "text" && delta.type === "text_delta") {
      const text = toStringOrEmpty(delta.text)
      block.text += text
      if (text !== "") this.onDelta({ type: "text", text })
    }
    if (block.type === "thinking" && delta.type === "thinking_delta") {
      const text = toStringOrEmpty(delta.thinking)
      block.thinking += text
      if (text !== "") this.onDelta({ type: "reasoning", text })
    }
    if (block.type === "thinking" && delta.type === "signature_delta")
      block.signature = toStringOrEmpty(delta.signature)
    if (block.type === "tool_use" && delta.type === "input_json_delta")
      block.written += toStringOrEmpty(delta.partial_json)
  }

  private end(block: Block | undefined): void {
    if (block?.type === "tool_use") block.ended = true
  }

  /** Counts are totals of the whole message: a later count replaces an earlier one, and never falls. */
  private takeUsage(counts: Record<string, unknown>): void {
    const thinking = readFields(counts.output_tokens_details).thinking_tokens
    for (const [name, value] of Object.entries({ ...counts, thinking_tokens: thinking }))
      if (readCount(value) !== undefined)
        this.tokens[name] = Math.max(this.tokens[name] ?? 0, readCount(value)!)
  }

  /**
   * The provider counts tokens read from the cache, written to it, and all others separately. All of them were read.
   */
  private usage(): TokenUsage {
    const uncached = this.tokens.input_tokens
    const cacheRead = this.tokens.cache_read_input_tokens
    const written = this.tokens.cache_creation_input_tokens ?? 0
    const outputTokens = this.isCounted ? this.tokens.output_tokens : undefined
    const reasoning = this.tokens.thinking_tokens
    const { price } = this.options
    if (uncached === undefined) return outputTokens === undefined ? {} : { outputTokens }
    const inputTokens = readCount(uncached + (cacheRead ?? 0) + written)
    if (inputTokens === undefined) return outputTokens === undefined ? {} : { outputTokens }
    return {
      inputTokens,
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(cacheRead === undefined ? {} : { cachedTokens: cacheRead }),
      ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
      ...(price &&
        outputTokens !== undefined && {
          cost:
            uncached * price.input +
            (cacheRead ?? 0) * price.cacheRead +
            written * price.cacheWrite +
            outputTokens * price.output,
        }),
    }
  }

  private outOfOrder(what: string): ModelError {
    return createModelFailure("protocol", `The stream from ${this.host} has ${what}.`, "retry")
  }
}

type Block =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | ToolUse
  /** A block of a type that this client does not use, such as a tool that the provider runs itself. */
  | { readonly type: "other" }

interface ToolUse {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  /** The input as a value: complete in a JSON answer, empty at the start of a streamed block. */
  readonly input: unknown
  /** The part of the input that has arrived, as text. */
  written: string
  ended: boolean
}

function blockFrom(content: Record<string, unknown>): Block {
  switch (content.type) {
    case "text":
      return { type: "text", text: toStringOrEmpty(content.text) }
    case "thinking":
      return {
        type: "thinking",
        thinking: toStringOrEmpty(content.thinking),
        signature: toStringOrEmpty(content.signature),
      }
    case "redacted_thinking":
      return { type: "redacted_thinking", data: toStringOrEmpty(content.data) }
    case "tool_use":
      return {
        type: "tool_use",
        id: toStringOrEmpty(content.id),
        name: toStringOrEmpty(content.name),
        input: content.input,
        written: "",
        ended: false,
      }
    default:
      return { type: "other" }
  }
}

/** A tool without parameters gets no streamed input. */
function argumentsOf({ written, input }: ToolUse): string {
  if (written !== "") return written
  return typeof input === "string" ? input : JSON.stringify(input ?? {})
}

/** The provider refuses thinking without a signature, so it is not kept. */
function partsOf(blocks: readonly Block[], calls: ReadonlySet<ToolUse>): readonly AnthropicPart[] {
  return blocks.flatMap((block): readonly AnthropicPart[] => {
    switch (block.type) {
      case "text":
        return block.text === "" ? [] : [{ type: "text", length: block.text.length }]
      case "thinking":
        return block.signature === "" ? [] : [{ ...block }]
      case "redacted_thinking":
        return block.data === "" ? [] : [{ ...block }]
      case "tool_use":
        return calls.has(block) ? [{ type: "call" }] : []
      default:
        return []
    }
  })
}

const wholeEnds: ReadonlySet<string> = new Set(["end_turn", "stop_sequence", "tool_use"])

function stopFrom(finish: string | undefined, calls: number): ModelReply["stop"] {
  switch (finish) {
    case "end_turn":
    case "stop_sequence":
      return calls > 0 ? "calls" : "end"
    case "tool_use":
      return calls > 0 ? "calls" : "other"
    // A paused turn belongs to tools that the provider runs. It is as incomplete as one that ran out of tokens.
    case "max_tokens":
    case "model_context_window_exceeded":
    case "pause_turn":
      return "length"
    case "refusal":
      return "filter"
    default:
      return "other"
  }
}
