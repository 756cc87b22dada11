import type { Usage } from "../../message.ts"
import type { Delta, ModelError, ModelReply } from "../../model.ts"
import { noUsage } from "../../usage.ts"
import { type Assembly, bodyReader } from "./body.ts"
import { type ModelPrice, type ProtocolReply, withCost } from "./client.ts"
import { errorObjectFailure, failure, isRefused, noTerminalEvent } from "./failure.ts"
import type { BodyKind, BodyReader } from "./http.ts"
import { count, fields, isWhole, textOf } from "./json.ts"

/** Puts a chat-completions answer together, from a stream's chunks or from one JSON object. */
export class OpenAiReply implements ProtocolReply, Assembly {
  readonly host: string
  readonly lastData = "[DONE]"
  private readonly onDelta: (delta: Delta) => void
  private readonly price: ModelPrice | undefined
  private readonly calls: OpenCall[] = []
  private callAt: Map<unknown, OpenCall> | undefined
  private text = ""
  private refusal = ""
  private usage: Usage = {}
  private model: string | undefined
  private answered = false
  /** The provider's finish reason, once it gave one. */
  private finish: string | undefined

  constructor(host: string, onDelta: (delta: Delta) => void, price?: ModelPrice) {
    this.host = host
    this.onDelta = onDelta
    this.price = price
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return bodyReader(this, kind, contentType)
  }

  nothingUsed(): void {
    this.usage = noUsage
  }

  addWhole(value: unknown): ModelError | undefined {
    return this.addEvent(value) ?? this.check("complete")
  }

  /** One chunk of a stream, or the whole of a JSON answer: they differ in one word. */
  addEvent(value: unknown): ModelError | undefined {
    const answer = fields(value)
    if (answer.error) return errorObjectFailure(this.host, answer.error)
    if (typeof answer.model === "string" && answer.model !== "") this.model = answer.model
    const choice = firstChoice(answer.choices)
    const usage = answer.usage ?? choice?.usage
    if (usage) this.usage = withCost(usageFrom(usage), this.price)
    if (!choice) return undefined
    if (choice.error) return errorObjectFailure(this.host, choice.error)
    this.answered = true
    this.take(fields(choice.delta ?? choice.message), choice.delta ? "in-parts" : "whole")
    // Some gateways send "" with every chunk, and one says "error" when what it stands before failed.
    if (choice.finish_reason === "error")
      return failure("overloaded", `${this.host} ended its answer with an error.`, "retry")
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "")
      this.finish = choice.finish_reason
    return undefined
  }

  check(end: "complete" | "early"): ModelError | undefined {
    if (end === "early" && this.finish === undefined) return noTerminalEvent(this.host)
    if (this.answered) return undefined
    return failure("protocol", `${this.host} answered without any choice.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const common = {
      text: this.text || this.refusal,
      usage: error && !this.answered && isRefused(error) ? noUsage : this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
    }
    if (error) return { ...common, calls: [], stop: "other", error }
    const stop = this.refusal !== "" ? "filter" : stopFrom(this.finish, this.calls.length)
    // An answer that was cut may have been cut inside a call, and half a call must never run.
    const whole =
      stop === "calls" || stop === "end" ? this.calls : this.calls.filter((call) => isWhole(call.arguments))
    const calls = whole.map((call) => ({ wire: call.id, tool: call.name, arguments: call.arguments }))
    return { ...common, calls, stop }
  }

  private take(part: Record<string, unknown>, calls: "in-parts" | "whole"): void {
    const reasoning = part.reasoning_content ?? part.reasoning
    if (typeof reasoning === "string" && reasoning !== "")
      this.onDelta({ type: "reasoning", text: reasoning })
    const text = textFrom(part.content)
    if (text !== "") {
      this.text += text
      this.onDelta({ type: "text", text })
    }
    if (typeof part.refusal === "string") this.refusal += part.refusal
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
    const { name, arguments: given } = fields(piece.function)
    const part = {
      id: textOf(piece.id),
      name: textOf(name),
      arguments: typeof given === "string" ? given : given ? JSON.stringify(given) : "",
    }
    if (part.id === "" && part.name === "" && part.arguments === "") return
    const known = key || key === 0 ? this.callAt?.get(key) : part.name === "" ? this.calls.at(-1) : undefined
    if (!known || startsAnother(known, part)) {
      this.calls.push(part)
      this.callAt ??= new Map()
      this.callAt.set(key, part)
      return
    }
    known.id ||= part.id
    known.name ||= part.name
    known.arguments += part.arguments
  }
}

interface OpenCall {
  id: string
  name: string
  arguments: string
}

/** Some providers give every call index 0, or no id: a named piece after a finished call is the next call. */
function startsAnother(known: OpenCall, part: OpenCall): boolean {
  if (part.name === "") return false
  if (known.id !== "" && part.id !== "" && known.id !== part.id)
    return known.name !== part.name || isWhole(known.arguments)
  return part.arguments !== "" && isWhole(known.arguments)
}

function stopFrom(finish: string | undefined, calls: number): ModelReply["stop"] {
  switch (finish) {
    case undefined:
    case "stop":
      return calls > 0 ? "calls" : "end"
    case "tool_calls":
    case "function_call":
      return calls > 0 ? "calls" : "other"
    case "length":
      return "length"
    case "content_filter":
      return "filter"
    default:
      return "other"
  }
}

function firstChoice(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.find((choice) => (fields(choice).index ?? 0) === 0)
}

function textFrom(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  const texts = content.map((part) => fields(part).text)
  return texts.filter((text) => typeof text === "string").join("")
}

function usageFrom(given: unknown): Usage {
  const usage = fields(given)
  const cached = count(fields(usage.prompt_tokens_details).cached_tokens)
  const reasoning = count(fields(usage.completion_tokens_details).reasoning_tokens)
  const input = count(usage.prompt_tokens)
  const output = count(usage.completion_tokens)
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}
