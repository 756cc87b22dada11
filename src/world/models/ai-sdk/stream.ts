import type { ModelDelta, ModelError, ModelReply } from "../../../agent/model.ts"
import type { Json, TokenUsage } from "../../../ground/message.ts"
import { noUsage } from "../../../ground/usage.ts"
import { addCost, type ModelPrice } from "../wire/client.ts"
import { createModelFailure, createNoTerminalEventFailure, isOutrightRefusal } from "../wire/failure.ts"
import { readFields, toStringOrEmpty, tryParseJson } from "../wire/json.ts"
import { toSdkFailure } from "./failure.ts"
import { type Finish, readAiSdkStop, readAiSdkUsage, readFinish } from "./finish.ts"
import { type KeptPart, keepAiSdkLayout } from "./layout.ts"

/** Builds a reply from the parts of an AI SDK stream, of versions 2, 3 and 4. */
export class AiSdkReply {
  readonly host: string
  private readonly provider: string
  private readonly onDelta: (delta: ModelDelta) => void
  private readonly price: ModelPrice | undefined
  private readonly blocks: Block[] = []
  private readonly blockAt = new Map<unknown, TextBlock>()
  private readonly inputAt = new Map<unknown, CallBlock>()
  private usage: TokenUsage = {}
  private model: string | undefined
  private finish: Finish | undefined

  constructor(options: {
    readonly host: string
    readonly provider: string
    onDelta(delta: ModelDelta): void
    readonly price: ModelPrice | undefined
  }) {
    this.host = options.host
    this.provider = options.provider
    this.onDelta = (delta) => options.onDelta(delta)
    this.price = options.price
  }

  add(value: unknown): ModelError | undefined {
    const part = readFields(value)
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        this.speak("text", part)
        return undefined
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.speak("reasoning", part)
        return undefined
      case "tool-input-start":
      case "tool-input-delta":
        this.write(part)
        return undefined
      case "tool-call":
        this.call(part)
        return undefined
      case "response-metadata":
        this.model = toStringOrEmpty(part.modelId) || this.model
        return undefined
      case "raw":
        // Gemini reports the model that it ran, but its package does not pass that on.
        this.model ??= toStringOrEmpty(readFields(part.rawValue).modelVersion) || undefined
        return undefined
      case "finish":
        this.finish = readFinish(part)
        this.usage = addCost(readAiSdkUsage(part.usage), this.price)
        return undefined
      case "error":
        return toSdkFailure(this.host, part.error)
      default:
        // Ignored: warnings, sources, tools that the provider ran itself, and future additions to the protocol.
        return undefined
    }
  }

  /** Reports what an ended stream lacks. */
  check(): ModelError | undefined {
    const { finish } = this
    if (finish === undefined || finish.word === "interrupted" || finish.isUnknown)
      return createNoTerminalEventFailure(this.host)
    if (finish.word !== "error") return undefined
    const why = finish.raw === "" ? "" : ` (${finish.raw})`
    return createModelFailure("overloaded", `${this.host} ended its answer with an error${why}.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const text = this.blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
    const isUnanswered = error !== undefined && this.blocks.length === 0 && isOutrightRefusal(error)
    const usage = isUnanswered ? noUsage : this.usage
    const common = { text, usage, ...(this.model !== undefined && { model: this.model }) }
    if (error) return { ...common, calls: [], stop: "other", error }
    const callBlocks = this.blocks.filter((block) => block.type === "call")
    const stop = readAiSdkStop(this.finish, callBlocks.length)
    const isWhole = stop === "calls" || stop === "end"
    // A cut answer may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? callBlocks : []
    const keptBlocks = this.blocks.filter((block) => block.type !== "call" || calls.includes(block))
    const provider = keepAiSdkLayout(this.provider, keptBlocks.flatMap(partOf))
    return {
      ...common,
      calls: calls.map(({ id, name, text }) => ({ wire: id, tool: name, arguments: text || "{}" })),
      stop,
      ...(!isWhole && this.finish && { finish: this.finish.raw || this.finish.word }),
      ...(!isWhole && callBlocks.length > 0 && { cutCalls: callBlocks.length }),
      ...(provider !== undefined && { provider }),
    }
  }

  private speak(type: "text" | "reasoning", part: Record<string, unknown>): void {
    const key = `${type} ${toStringOrEmpty(part.id)}`
    let block = this.blockAt.get(key)
    if (!block || part.type === `${type}-start`) {
      block = { type, text: "", options: undefined }
      this.blockAt.set(key, block)
      this.blocks.push(block)
    }
    addMetadata(block, part)
    const text = toStringOrEmpty(part.delta)
    block.text += text
    if (text !== "") this.onDelta({ type, text })
  }

  /** Adds streamed input of a call. For a call that never came whole, this is all there is. */
  private write(part: Record<string, unknown>): void {
    if (part.type === "tool-input-start") {
      if (part.providerExecuted === true) return
      const block: CallBlock = {
        type: "call",
        id: toStringOrEmpty(part.id),
        name: toStringOrEmpty(part.toolName),
        text: "",
        isEnded: false,
        options: undefined,
      }
      this.inputAt.set(part.id, block)
      this.blocks.push(block)
    }
    const block = this.inputAt.get(part.id)
    if (!block) return
    addMetadata(block, part)
    block.text += toStringOrEmpty(part.delta)
  }

  private call(part: Record<string, unknown>): void {
    if (part.providerExecuted === true) return
    const existing = this.inputAt.get(part.toolCallId)
    const block: CallBlock = existing ?? {
      type: "call",
      id: toStringOrEmpty(part.toolCallId),
      name: "",
      text: "",
      isEnded: false,
      options: undefined,
    }
    // Ids may repeat, so each call takes the input that began before it.
    this.inputAt.delete(part.toolCallId)
    if (!existing) this.blocks.push(block)
    block.name = toStringOrEmpty(part.toolName)
    block.text = typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {})
    block.isEnded = true
    addMetadata(block, part)
  }
}

interface TextBlock {
  readonly type: "text" | "reasoning"
  text: string
  options: Json | undefined
}

interface CallBlock {
  readonly type: "call"
  readonly id: string
  name: string
  text: string
  isEnded: boolean
  options: Json | undefined
}

type Block = TextBlock | CallBlock

/** Merges later metadata of a part into the earlier. */
function addMetadata(block: Block, { providerMetadata }: Record<string, unknown>): void {
  const metadata = readFields(tryParseJson(JSON.stringify(providerMetadata ?? null))) as Record<string, Json>
  for (const [name, values] of Object.entries(metadata)) {
    const earlier = readFields(block.options) as Record<string, Json>
    const merged = { ...readFields(earlier[name]), ...readFields(values) } as Json
    block.options = { ...earlier, [name]: merged }
  }
}

function partOf(block: Block): readonly KeptPart[] {
  const options = block.options === undefined ? {} : { options: block.options }
  switch (block.type) {
    case "reasoning":
      return [{ type: "reasoning", text: block.text, ...options }]
    case "text":
      return block.text === "" && block.options === undefined
        ? []
        : [{ type: "text", length: block.text.length, ...options }]
    case "call":
      return [{ type: "call", ...options }]
  }
}
