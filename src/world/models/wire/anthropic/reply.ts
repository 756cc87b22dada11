import type { Delta, ModelError, ModelReply } from "../../../../agent/model.ts"
import type { Usage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, bodyReader } from "../body.ts"
import type { ProtocolReply } from "../client.ts"
import { errorObjectFailure, failure, isRefused, noAnswerIn, noTerminalEvent } from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { count, fields, finishWord, textOf } from "../json.ts"
import { keptFor, type Origin } from "../provider-data.ts"
import { layoutToKeep, type Part } from "./layout.ts"

/** What a token costs, by what became of it. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface AnthropicReplyOptions {
  readonly origin: Origin
  readonly price?: TokenPrice
}

/** Puts a messages answer together, from a stream's events or from one JSON object. */
export class AnthropicReply implements ProtocolReply, Assembly {
  private readonly onDelta: (delta: Delta) => void
  private readonly options: AnthropicReplyOptions
  private readonly blocks: Block[] = []
  private readonly blockAt = new Map<unknown, Block>()
  private readonly tokens: Record<string, number> = {}
  private model: string | undefined
  private finish: string | undefined
  private refusal = ""
  private answered = false
  /** What a message begins with counts only the start of its output. */
  private isCounted = false

  constructor(onDelta: (delta: Delta) => void, options: AnthropicReplyOptions) {
    this.onDelta = onDelta
    this.options = options
  }

  get host(): string {
    return this.options.origin.host
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return bodyReader(this, kind, contentType)
  }

  nothingUsed(): void {
    this.tokens.input_tokens = 0
    this.tokens.output_tokens = 0
    this.isCounted = true
  }

  addEvent(value: unknown): ModelError | "done" | undefined {
    const event = fields(value)
    if (event.error) return errorObjectFailure(this.host, event.error)
    switch (event.type) {
      case "message_start":
        if (this.answered) return this.outOfOrder("a second message inside of the first")
        this.takeMessage(fields(event.message))
        return undefined
      case "content_block_start":
        this.blockAt.set(event.index, this.begin(fields(event.content_block)))
        return undefined
      case "content_block_delta": {
        const block = this.blockAt.get(event.index)
        if (block) this.extend(block, fields(event.delta))
        return block ? undefined : this.outOfOrder("a part of a block that never began")
      }
      case "content_block_stop":
        this.end(this.blockAt.get(event.index))
        return undefined
      case "message_delta":
        this.takeEnd(fields(event.delta))
        this.takeUsage(fields(event.usage))
        return undefined
      case "message_stop":
        return "done"
      default:
        // Pings, and what the provider may add to its protocol.
        return undefined
    }
  }

  addWhole(value: unknown): ModelError | undefined {
    const message = fields(value)
    if (message.error) return errorObjectFailure(this.host, message.error)
    if (!Array.isArray(message.content)) return noAnswerIn(this.host, value, "a message")
    this.takeMessage(message)
    this.takeEnd(message)
    for (const block of message.content) this.end(this.begin(fields(block)))
    return undefined
  }

  check(end: "complete" | "early"): ModelError | undefined {
    if (end === "early") return noTerminalEvent(this.host)
    if (!this.answered) return failure("protocol", `${this.host} answered without a message.`, "retry")
    const unfinished = this.blocks.some((block) => block.type === "tool_use" && !block.ended)
    // In a reply that was cut, or ended as nobody knows how, no call runs anyway.
    const isWhole = this.finish !== undefined && wholeEnds.has(this.finish)
    return unfinished && isWhole ? this.outOfOrder("a tool call without an end") : undefined
  }

  reply(error: ModelError | undefined): ModelReply {
    const text = this.blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
    const common = {
      text: text || this.refusal,
      usage: error && !this.answered && isRefused(error) ? noUsage : this.usage(),
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const asked = this.blocks.filter((block) => block.type === "tool_use")
    const stop = stopFrom(this.finish, asked.length)
    const isWhole = stop === "calls" || stop === "end"
    // An answer that was cut may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? asked : []
    const layout = layoutToKeep(partsOf(this.blocks, new Set(calls)))
    return {
      ...common,
      calls: calls.map((call) => ({ wire: call.id, tool: call.name, arguments: argumentsOf(call) })),
      stop,
      ...(isWhole || this.finish === undefined ? {} : { finish: this.finish }),
      ...(isWhole || asked.length === 0 ? {} : { cutCalls: asked.length }),
      ...(layout === undefined ? {} : { provider: keptFor(this.options.origin, "anthropic", layout) }),
    }
  }

  private takeMessage(message: Record<string, unknown>): void {
    this.answered = true
    this.model = textOf(message.model) || undefined
    this.takeUsage(fields(message.usage))
  }

  private takeEnd(given: Record<string, unknown>): void {
    this.isCounted = true
    const said = finishWord(given.stop_reason)
    // An end that was not whole is not made whole by another.
    if (said !== undefined && (this.finish === undefined || wholeEnds.has(this.finish))) this.finish = said
    this.refusal = textOf(fields(given.stop_details).explanation)
  }

  private begin(given: Record<string, unknown>): Block {
    const block = blockFrom(given)
    this.blocks.push(block)
    this.tell(block)
    return block
  }

  /** What came with a block's start. In a stream that is usually nothing. */
  private tell(block: Block): void {
    if (block.type === "text" && block.text !== "") this.onDelta({ type: "text", text: block.text })
    if (block.type === "thinking" && block.thinking !== "")
      this.onDelta({ type: "reasoning", text: block.thinking })
  }

  private extend(block: Block, delta: Record<string, unknown>): void {
    if (block.type === "text" && delta.type === "text_delta") {
      const text = textOf(delta.text)
      block.text += text
      if (text !== "") this.onDelta({ type: "text", text })
    }
    if (block.type === "thinking" && delta.type === "thinking_delta") {
      const text = textOf(delta.thinking)
      block.thinking += text
      if (text !== "") this.onDelta({ type: "reasoning", text })
    }
    if (block.type === "thinking" && delta.type === "signature_delta")
      block.signature = textOf(delta.signature)
    if (block.type === "tool_use" && delta.type === "input_json_delta")
      block.written += textOf(delta.partial_json)
  }

  private end(block: Block | undefined): void {
    if (block?.type === "tool_use") block.ended = true
  }

  /** Counts are totals of the whole message: a later one replaces an earlier one, and never falls. */
  private takeUsage(given: Record<string, unknown>): void {
    const thinking = fields(given.output_tokens_details).thinking_tokens
    for (const [name, value] of Object.entries({ ...given, thinking_tokens: thinking }))
      if (count(value) !== undefined) this.tokens[name] = Math.max(this.tokens[name] ?? 0, count(value)!)
  }

  /** The provider counts what it read from its cache, wrote to it, and neither apart; all of it was read. */
  private usage(): Usage {
    const uncached = this.tokens.input_tokens
    const read = this.tokens.cache_read_input_tokens
    const written = this.tokens.cache_creation_input_tokens ?? 0
    const outputTokens = this.isCounted ? this.tokens.output_tokens : undefined
    const reasoning = this.tokens.thinking_tokens
    const { price } = this.options
    if (uncached === undefined) return outputTokens === undefined ? {} : { outputTokens }
    const inputTokens = count(uncached + (read ?? 0) + written)
    if (inputTokens === undefined) return outputTokens === undefined ? {} : { outputTokens }
    return {
      inputTokens,
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(read === undefined ? {} : { cachedTokens: read }),
      ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
      ...(price &&
        outputTokens !== undefined && {
          cost:
            uncached * price.input +
            (read ?? 0) * price.cacheRead +
            written * price.cacheWrite +
            outputTokens * price.output,
        }),
    }
  }

  private outOfOrder(what: string): ModelError {
    return failure("protocol", `The stream from ${this.host} has ${what}.`, "retry")
  }
}

type Block =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | ToolUse
  /** Of a type this client does not offer, such as a tool the provider runs itself. */
  | { readonly type: "other" }

interface ToolUse {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  /** The input as a value: all of it in a JSON answer, nothing at the start of a streamed block. */
  readonly input: unknown
  /** The input as text, as far as it came. */
  written: string
  ended: boolean
}

function blockFrom(given: Record<string, unknown>): Block {
  switch (given.type) {
    case "text":
      return { type: "text", text: textOf(given.text) }
    case "thinking":
      return { type: "thinking", thinking: textOf(given.thinking), signature: textOf(given.signature) }
    case "redacted_thinking":
      return { type: "redacted_thinking", data: textOf(given.data) }
    case "tool_use":
      return {
        type: "tool_use",
        id: textOf(given.id),
        name: textOf(given.name),
        input: given.input,
        written: "",
        ended: false,
      }
    default:
      return { type: "other" }
  }
}

/** A tool without parameters is called without a word of input. */
function argumentsOf({ written, input }: ToolUse): string {
  if (written !== "") return written
  return typeof input === "string" ? input : JSON.stringify(input ?? {})
}

/** Thinking without a signature is refused when it comes back, so it is not kept. */
function partsOf(blocks: readonly Block[], calls: ReadonlySet<ToolUse>): readonly Part[] {
  return blocks.flatMap((block): readonly Part[] => {
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
    // A paused turn belongs to tools the provider runs, and is as unfinished as one that ran out of tokens.
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
