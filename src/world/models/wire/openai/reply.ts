import type { Delta, ModelError, ModelReply } from "../../../../agent/model.ts"
import { isMap, type Json, type Usage } from "../../../../ground/message.ts"
import { noUsage } from "../../../../ground/usage.ts"
import { type Assembly, bodyReader } from "../body.ts"
import { type ModelPrice, type ProtocolReply, withCost } from "../client.ts"
import { errorObjectFailure, failure, isRefused, noAnswerIn, noTerminalEvent } from "../failure.ts"
import type { BodyKind, BodyReader } from "../http.ts"
import { fields, finishWord, isWhole, textOf } from "../json.ts"
import { keptFor, type Origin } from "../provider-data.ts"
import { withRefusal } from "../text.ts"
import { failedCall } from "./failed-call.ts"
import { isThought, ReasoningParts } from "./reasoning.ts"
import type { ChatRules, Ending } from "./rules.ts"
import { usageFrom } from "./usage.ts"

export interface OpenAiReplyOptions {
  readonly origin: Origin
  readonly rules: ChatRules
  readonly price?: ModelPrice
}

/** Puts a chat-completions answer together, from a stream's chunks or from one JSON object. */
export class OpenAiReply implements ProtocolReply, Assembly {
  readonly lastData = "[DONE]"
  private readonly onDelta: (delta: Delta) => void
  private readonly options: OpenAiReplyOptions
  private readonly reasoning = new ReasoningParts()
  private readonly calls: OpenCall[] = []
  private callAt: Map<unknown, OpenCall> | undefined
  private text = ""
  private refusal = ""
  private usage: Usage = {}
  private model: string | undefined
  private answered = false
  /** The provider's finish reason, once it gave one. */
  private finish: string | undefined
  /** Whether the server left its finish reason open, which means that it sends one at the end. */
  private leftOpen = false

  constructor(onDelta: (delta: Delta) => void, options: OpenAiReplyOptions) {
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
    this.usage = noUsage
  }

  addWhole(value: unknown): ModelError | undefined {
    const error = this.addEvent(value)
    if (error === "done") return undefined
    return error || this.answered ? error : noAnswerIn(this.host, value, "any choice")
  }

  /** One chunk of a stream, or the whole of a JSON answer: they differ in one word. */
  addEvent(value: unknown): ModelError | "done" | undefined {
    const answer = fields(value)
    if (answer.error) return this.recover(answer.error) ? "done" : errorObjectFailure(this.host, answer.error)
    // vLLM and others put an error where the answer should be.
    if (answer.object === "error") return errorObjectFailure(this.host, answer)
    if (typeof answer.model === "string" && answer.model !== "") this.model = answer.model
    const choice = firstChoice(answer.choices)
    const usage = answer.usage ?? choice?.usage ?? fields(answer.x_groq).usage
    if (usage) this.usage = withCost(usageFrom(usage), this.options.price)
    if (!choice) return undefined
    if (choice.error) return errorObjectFailure(this.host, choice.error)
    this.answered = true
    this.take(fields(choice.delta ?? choice.message), choice.delta ? "in-parts" : "whole")
    if (choice.finish_reason === null) this.leftOpen = true
    // Some gateways send "" with every chunk.
    const reason = finishWord(choice.finish_reason)
    // An end that was not whole is not made whole by another.
    if (reason !== undefined && (this.finish === undefined || this.isWhole(this.finish))) this.finish = reason
    if (this.finish === undefined || this.endingOf(this.finish) !== "retry") return undefined
    const why = this.finish === "error" ? "an error" : `${JSON.stringify(this.finish)}, which passes`
    return failure("overloaded", `${this.host} ended its answer with ${why}.`, "retry")
  }

  /** A call that the provider would not take is for the model to mend: it is told what is wrong with it. */
  recover(error: unknown): "recovered" | undefined {
    const call = failedCall(error)
    if (!call) return undefined
    this.calls.splice(0, this.calls.length, { id: "call_refused", ...call })
    this.finish = "tool_calls"
    this.answered = true
    return "recovered"
  }

  check(end: "complete" | "early"): ModelError | undefined {
    if (end === "early" && this.finish === undefined) return noTerminalEvent(this.host)
    if (this.answered) return undefined
    return failure("protocol", `${this.host} answered without any choice.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const common = {
      text: withRefusal(this.text, this.refusal),
      usage: error && !this.answered && isRefused(error) ? noUsage : this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const stop = this.refusal !== "" ? "filter" : this.stop()
    const isWhole = stop === "calls" || stop === "end"
    // An answer that was cut may have been cut inside a call, and half a call must never run.
    const calls = isWhole ? this.calls : []
    const kept = this.reasoning.kept(calls.map(({ extra }) => extra))
    return {
      ...common,
      // Some leave the arguments of a tool out that takes none.
      calls: calls.map(({ id, name, arguments: text, problem }) => ({
        wire: id,
        tool: name,
        arguments: text || "{}",
        ...(problem !== undefined && { problem }),
      })),
      stop,
      ...(!isWhole && this.finish !== undefined && { finish: this.finish }),
      ...(!isWhole && this.calls.length > 0 && { cutCalls: this.calls.length }),
      ...(kept && { provider: keptFor(this.options.origin, "chat", kept as Json) }),
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

  private unsaidEnding(): Ending | undefined {
    return this.options.rules.unsaidEnd === "whole" && !this.leftOpen ? "end" : undefined
  }

  private isWhole(word: string): boolean {
    return ["end", "calls"].includes(this.endingOf(word) ?? "")
  }

  private endingOf(word: string): Ending | undefined {
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
    this.refusal += textOf(part.refusal) + refusalIn(part.content)
    if (Array.isArray(part.tool_calls))
      for (let position = 0; position < part.tool_calls.length; position++) {
        const piece = fields(part.tool_calls[position])
        this.takeCall(piece, calls === "whole" ? position : (piece.index ?? piece.id))
      }
    if (part.function_call) this.takeCall({ function: part.function_call }, "function_call")
  }

  /**
   * `key` is what the parts of one call have in common. Without one, a name begins a call and the rest
   * belongs to the last.
   */
  private takeCall(piece: Record<string, unknown>, key: unknown): void {
    const { name, arguments: given } = fields(piece.function ?? piece.custom)
    const part: OpenCall = {
      id: textOf(piece.id),
      name: textOf(name),
      arguments: typeof given === "string" ? given : given ? JSON.stringify(given) : "",
      ...(isMap(piece.extra_content) && { extra: piece.extra_content }),
    }
    if (part.id === "" && part.name === "" && part.arguments === "") return
    const known = key || key === 0 ? this.callAt?.get(key) : part.name === "" ? this.calls.at(-1) : undefined
    if (known && isRepeated(known, part)) return
    if (!known || startsAnother(known, part)) {
      this.calls.push(part)
      this.callAt ??= new Map()
      this.callAt.set(key, part)
      return
    }
    known.id ||= part.id
    known.name ||= part.name
    known.arguments += part.arguments
    if (part.extra !== undefined) known.extra = part.extra
  }
}

interface OpenCall {
  id: string
  name: string
  arguments: string
  extra?: Json
  readonly problem?: string
}

/** Some servers send a finished call once more at the end. */
const isRepeated = (known: OpenCall, part: OpenCall): boolean =>
  part.id !== "" &&
  known.id === part.id &&
  known.name === part.name &&
  known.arguments === part.arguments &&
  isWhole(part.arguments)

/** Some providers give every call index 0, or no id: a named piece after a finished call is the next call. */
function startsAnother(known: OpenCall, part: OpenCall): boolean {
  if (part.name === "") return false
  if (known.id !== "" && part.id !== "" && known.id !== part.id)
    return known.name !== part.name || isWhole(known.arguments)
  return part.arguments !== "" && isWhole(known.arguments)
}

function firstChoice(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.find((choice) => isFirst(fields(choice).index ?? 0))
}

const isFirst = (index: unknown): boolean =>
  (typeof index === "number" || typeof index === "string") && Number(index) === 0

function textFrom(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part) => (isThought(part) ? "" : textOf(fields(part).text))).join("")
}

function refusalIn(content: unknown): string {
  return Array.isArray(content) ? content.map((part) => textOf(fields(part).refusal)).join("") : ""
}
