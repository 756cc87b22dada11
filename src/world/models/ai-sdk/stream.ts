import type { Delta, ModelError, ModelReply } from "../../../agent/model.ts"
import type { Json, Usage } from "../../../ground/message.ts"
import { noUsage } from "../../../ground/usage.ts"
import { type ModelPrice, withCost } from "../wire/client.ts"
import { failure, isRefused, noTerminalEvent } from "../wire/failure.ts"
import { fields, parsed, textOf } from "../wire/json.ts"
import { sdkFailure } from "./failure.ts"
import { type Finish, finishFrom, stopFrom, usageFrom } from "./finish.ts"
import { type KeptPart, layoutToKeep } from "./layout.ts"

/** Puts an answer together from the parts of an AI SDK stream, of versions 2, 3 and 4. */
export class AiSdkReply {
  readonly host: string
  private readonly provider: string
  private readonly onDelta: (delta: Delta) => void
  private readonly price: ModelPrice | undefined
  private readonly blocks: Block[] = []
  private readonly blockAt = new Map<unknown, Spoken>()
  private readonly inputAt = new Map<unknown, Called>()
  private usage: Usage = {}
  private model: string | undefined
  private finish: Finish | undefined

  constructor(options: {
    readonly host: string
    readonly provider: string
    onDelta(delta: Delta): void
    readonly price: ModelPrice | undefined
  }) {
    this.host = options.host
    this.provider = options.provider
    this.onDelta = (delta) => options.onDelta(delta)
    this.price = options.price
  }

  add(value: unknown): ModelError | undefined {
    const part = fields(value)
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
        this.model = textOf(part.modelId) || this.model
        return undefined
      case "raw":
        // Gemini names the model it ran, and its package does not pass that on.
        this.model ??= textOf(fields(part.rawValue).modelVersion) || undefined
        return undefined
      case "finish":
        this.finish = finishFrom(part)
        this.usage = withCost(usageFrom(part.usage), this.price)
        return undefined
      case "error":
        return sdkFailure(this.host, part.error)
      default:
        // Warnings, sources, what the provider ran itself, and what may be added to the protocol.
        return undefined
    }
  }

  /** What a stream lacks that ended. */
  check(): ModelError | undefined {
    const { finish } = this
    if (finish === undefined || finish.word === "interrupted" || finish.isUnknown)
      return noTerminalEvent(this.host)
    if (finish.word !== "error") return undefined
    const why = finish.raw === "" ? "" : ` (${finish.raw})`
    return failure("overloaded", `${this.host} ended its answer with an error${why}.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const text = this.blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
    const isUnanswered = error !== undefined && this.blocks.length === 0 && isRefused(error)
    const usage = isUnanswered ? noUsage : this.usage
    const common = { text, usage, ...(this.model !== undefined && { model: this.model }) }
    if (error) return { ...common, calls: [], stop: "other", error }
    const asked = this.blocks.filter((block) => block.type === "call")
    const stop = stopFrom(this.finish, asked.length)
    const isWhole = stop === "calls" || stop === "end"
    // An answer that was cut may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? asked : []
    const kept = this.blocks.filter((block) => block.type !== "call" || calls.includes(block))
    const provider = layoutToKeep(this.provider, kept.flatMap(partOf))
    return {
      ...common,
      calls: calls.map(({ id, name, text }) => ({ wire: id, tool: name, arguments: text || "{}" })),
      stop,
      ...(!isWhole && this.finish && { finish: this.finish.raw || this.finish.word }),
      ...(!isWhole && asked.length > 0 && { cutCalls: asked.length }),
      ...(provider !== undefined && { provider }),
    }
  }

  private speak(type: "text" | "reasoning", part: Record<string, unknown>): void {
    const key = `${type} ${textOf(part.id)}`
    let block = this.blockAt.get(key)
    if (!block || part.type === `${type}-start`) {
      block = { type, text: "", options: undefined }
      this.blockAt.set(key, block)
      this.blocks.push(block)
    }
    note(block, part)
    const text = textOf(part.delta)
    block.text += text
    if (text !== "") this.onDelta({ type, text })
  }

  /** The input of a call as it is written: all there is of a call that never came whole. */
  private write(part: Record<string, unknown>): void {
    if (part.type === "tool-input-start") {
      if (part.providerExecuted === true) return
      const block: Called = {
        type: "call",
        id: textOf(part.id),
        name: textOf(part.toolName),
        text: "",
        isEnded: false,
        options: undefined,
      }
      this.inputAt.set(part.id, block)
      this.blocks.push(block)
    }
    const block = this.inputAt.get(part.id)
    if (!block) return
    note(block, part)
    block.text += textOf(part.delta)
  }

  private call(part: Record<string, unknown>): void {
    if (part.providerExecuted === true) return
    const written = this.inputAt.get(part.toolCallId)
    const block: Called = written ?? {
      type: "call",
      id: textOf(part.toolCallId),
      name: "",
      text: "",
      isEnded: false,
      options: undefined,
    }
    // Ids may be there twice: each call takes the input that was begun before it.
    this.inputAt.delete(part.toolCallId)
    if (!written) this.blocks.push(block)
    block.name = textOf(part.toolName)
    block.text = typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {})
    block.isEnded = true
    note(block, part)
  }
}

interface Spoken {
  readonly type: "text" | "reasoning"
  text: string
  options: Json | undefined
}

interface Called {
  readonly type: "call"
  readonly id: string
  name: string
  text: string
  isEnded: boolean
  options: Json | undefined
}

type Block = Spoken | Called

/** What comes later about a part adds to what came before. */
function note(block: Block, { providerMetadata }: Record<string, unknown>): void {
  const given = fields(parsed(JSON.stringify(providerMetadata ?? null))) as Record<string, Json>
  for (const [name, values] of Object.entries(given)) {
    const known = fields(block.options) as Record<string, Json>
    const merged = { ...fields(known[name]), ...fields(values) } as Json
    block.options = { ...known, [name]: merged }
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
