import type { ModelDelta, ModelError, ModelReply } from "../../../../agent/model.ts"
import { isMap, type Json, type TokenUsage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, createBodyReader } from "../body.ts"
import { addCost, type ModelPrice, type ProtocolReply } from "../client.ts"
import {
  createErrorObjectFailure,
  createMissingAnswerFailure,
  createModelFailure,
  createNoTerminalEventFailure,
  isOutrightRefusal,
} from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { isCompleteObject, readFields, readFinishWord, toStringOrEmpty } from "../json.ts"
import { packProviderData, type ReplyOrigin } from "../provider-data.ts"
import { joinRefusal } from "../text.ts"
import { readFailedCall } from "./failed-call.ts"
import { isThought, ReasoningParts } from "./reasoning.ts"
import type { ChatRules, ReplyEnding } from "./rules.ts"
import { readChatUsage } from "./usage.ts"

export interface OpenAiReplyOptions {
  readonly origin: ReplyOrigin
  readonly rules: ChatRules
  readonly price?: ModelPrice
}

/** Builds a chat-completions reply from a stream's chunks or from one JSON object. */
export class OpenAiReply implements ProtocolReply, Assembly {
  readonly lastData = "[DONE]"
  private readonly onDelta: (delta: ModelDelta) => void
  private readonly options: OpenAiReplyOptions
  private readonly reasoning = new ReasoningParts()
  private readonly calls: OpenCall[] = []
  private callAt: Map<unknown, OpenCall> | undefined
  private text = ""
  private refusal = ""
  private usage: TokenUsage = {}
  private model: string | undefined
  private answered = false
  /** The provider's finish reason, once it has given one. */
  private finish: string | undefined
  /** True if the server sent an empty finish reason, which means that it sends one at the end. */
  private leftOpen = false

  constructor(onDelta: (delta: ModelDelta) => void, options: OpenAiReplyOptions) {
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
    this.usage = noUsage
  }

  addWhole(value: unknown): ModelError | undefined {
    const error = this.addEvent(value)
    if (error === "done") return undefined
    return error || this.answered ? error : createMissingAnswerFailure(this.host, value, "any choice")
  }

  /** Adds one chunk of a stream or a whole JSON answer. They differ in one word. */
  addEvent(value: unknown): ModelError | "done" | undefined {
    const answer = readFields(value)
    if (answer.error)
      return this.recover(answer.error) ? "done" : createErrorObjectFailure(this.host, answer.error)
    // vLLM and others put an error where the answer should be.
    if (answer.object === "error") return createErrorObjectFailure(this.host, answer)
    if (typeof answer.model === "string" && answer.model !== "") this.model = answer.model
    const choice = firstChoice(answer.choices)
    const usage = answer.usage ?? choice?.usage ?? readFields(answer.x_groq).usage
    if (usage) this.usage = addCost(readChatUsage(usage), this.options.price)
    if (!choice) return undefined
    if (choice.error) return createErrorObjectFailure(this.host, choice.error)
    this.answered = true
    this.take(readFields(choice.delta ?? choice.message), choice.delta ? "in-parts" : "whole")
    if (choice.finish_reason === null) this.leftOpen = true
    // Some gateways send "" in every chunk.
    const reason = readFinishWord(choice.finish_reason)
    // An incomplete end stays incomplete, even if another one follows.
    if (reason !== undefined && (this.finish === undefined || this.isWhole(this.finish))) this.finish = reason
    if (this.finish === undefined || this.endingOf(this.finish) !== "retry") return undefined
    const why = this.finish === "error" ? "an error" : `${JSON.stringify(this.finish)}, which is temporary`
    return createModelFailure("overloaded", `${this.host} ended its answer with ${why}.`, "retry")
  }

  /** Turns a call that the provider refused into an answer, so that the model can correct it. */
  recover(error: unknown): "recovered" | undefined {
    const call = readFailedCall(error)
    if (!call) return undefined
    this.calls.splice(0, this.calls.length, { id: "call_refused", ...call })
    this.finish = "tool_calls"
    this.answered = true
    return "recovered"
  }

  check(end: "complete" | "early"): ModelError | undefined {
    if (end === "early" && this.finish === undefined) return createNoTerminalEventFailure(this.host)
    if (this.answered) return undefined
    return createModelFailure("protocol", `${this.host} answered without any choice.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const common = {
      text: joinRefusal(this.text, this.refusal),
      usage: error && !this.answered && isOutrightRefusal(error) ? noUsage : this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const stop = this.refusal !== "" ? "filter" : this.stop()
    const isWhole = stop === "calls" || stop === "end"
    // A cut answer may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? this.calls : []
    const keptReasoning = this.reasoning.collected(calls.map(({ extra }) => extra))
    return {
      ...common,
      // Some providers omit the arguments of a tool without parameters.
      calls: calls.map(({ id, name, arguments: text, problem }) => ({
        wire: id,
        tool: name,
        arguments: text || "{}",
        ...(problem !== undefined && { problem }),
      })),
      stop,
      ...(!isWhole && this.finish !== undefined && { finish: this.finish }),
      ...(!isWhole && this.calls.length > 0 && { cutCalls: this.calls.length }),
      ...(keptReasoning && {
        provider: packProviderData(this.options.origin, "chat", keptReasoning as Json),
      }),
    }
  }

  private stop(): ModelReply["stop"] {
    const { length: calls } = this.calls
    const ending = this.finish === undefined ? this.unsaidEnding() : this.endingOf(this.finish)
    switch (ending) {
      case "end":
        return calls > 0 ? "calls" : "end"
      case "calls":
        return calls > 0 ? "calls" : "other"
      case "length":
      case "filter":
        return ending
      default:
        return "other"
    }
  }

  private unsaidEnding(): ReplyEnding | undefined {
    return this.options.rules.missingEnd === "whole" && !this.leftOpen ? "end" : undefined
  }

  private isWhole(word: string): boolean {
    return ["end", "calls"].includes(this.endingOf(word) ?? "")
  }

  private endingOf(word: string): ReplyEnding | undefined {
    const { endings } = this.options.rules
    return Object.hasOwn(endings, word) ? endings[word] : undefined
  }

  private take(part: Record<string, unknown>, calls: "in-parts" | "whole"): void {
    const reasoning = this.reasoning.take(part)
    if (reasoning !== "") this.onDelta({ type: "reasoning", text: reasoning })
    const text = textFrom(part.content)
    if (text !== "") {
      this.text += text
      this.onDelta({ type: "text", text })
    }
    this.refusal += toStringOrEmpty(part.refusal) + refusalIn(part.content)
    if (Array.isArray(part.tool_calls))
      for (let position = 0; position < part.tool_calls.length; position++) {
        const piece = readFields(part.tool_calls[position])
        this.takeCall(piece, calls === "whole" ? position : (piece.index ?? piece.id))
      }
    if (part.function_call) this.takeCall({ function: part.function_call }, "function_call")
  }

  /**
   * Adds a part of a call. All parts of one call share `key`. Without a key, a name begins a new call, and the rest
   * belongs to the last one.
   */
  private takeCall(piece: Record<string, unknown>, key: unknown): void {
    const { name, arguments: input } = readFields(piece.function ?? piece.custom)
    const part: OpenCall = {
      id: toStringOrEmpty(piece.id),
      name: toStringOrEmpty(name),
      arguments: typeof input === "string" ? input : input ? JSON.stringify(input) : "",
      ...(isMap(piece.extra_content) && { extra: piece.extra_content }),
    }
    if (part.id === "" && part.name === "" && part.arguments === "") return
    const openCall =
      key || key === 0 ? this.callAt?.get(key) : part.name === "" ? this.calls.at(-1) : undefined
    if (openCall && isRepeated(openCall, part)) return
    if (!openCall || startsAnother(openCall, part)) {
      this.calls.push(part)
      this.callAt ??= new Map()
      this.callAt.set(key, part)
      return
    }
    openCall.id ||= part.id
    openCall.name ||= part.name
    openCall.arguments += part.arguments
    if (part.extra !== undefined) openCall.extra = part.extra
  }
}

interface OpenCall {
  id: string
  name: string
  arguments: string
  extra?: Json
  readonly problem?: string
}

/** True if a server repeats a finished call at the end. */
const isRepeated = (openCall: OpenCall, part: OpenCall): boolean =>
  part.id !== "" &&
  openCall.id === part.id &&
  openCall.name === part.name &&
  openCall.arguments === part.arguments &&
  isCompleteObject(part.arguments)

/**
 * True if a part begins another call. Some providers give every call index 0, or no id: then a named piece after a
 * finished call is the next call.
 */
function startsAnother(openCall: OpenCall, part: OpenCall): boolean {
  if (part.name === "") return false
  if (openCall.id !== "" && part.id !== "" && openCall.id !== part.id)
    return openCall.name !== part.name || isCompleteObject(openCall.arguments)
  return part.arguments !== "" && isCompleteObject(openCall.arguments)
}

function firstChoice(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.find((choice) => isFirst(readFields(choice).index ?? 0))
}

const isFirst = (index: unknown): boolean =>
  (typeof index === "number" || typeof index === "string") && Number(index) === 0

function textFrom(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (isThought(part) ? "" : toStringOrEmpty(readFields(part).text))).join("")
}

function refusalIn(content: unknown): string {
  return Array.isArray(content)
    ? content.map((part) => toStringOrEmpty(readFields(part).refusal)).join("")
    : ""
}
