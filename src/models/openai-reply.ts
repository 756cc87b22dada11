import type { Usage } from "../message.ts"
import type { Delta, ModelError, ModelReply } from "../model.ts"
import { errorObjectFailure, failure } from "./failure.ts"
import type { Answer, BodyKind, BodyReader } from "./http.ts"
import { SseReader } from "./sse.ts"

/** Puts a chat-completions answer together, from a stream's chunks or from one JSON object. */
export class OpenAiReply implements Answer {
  private readonly host: string
  private readonly onDelta: (delta: Delta) => void
  private readonly calls: OpenCall[] = []
  private callAt: Map<unknown, OpenCall> | undefined
  private text = ""
  private refusal = ""
  private usage: Usage = noUsage
  private model: string | undefined
  private answered = false
  /** The provider's finish reason, once it gave one. */
  finish: string | undefined

  constructor(host: string, onDelta: (delta: Delta) => void) {
    this.host = host
    this.onDelta = onDelta
  }

  open(kind: BodyKind, contentType: string): BodyReader {
    return kind === "sse" ? new StreamBody(this, this.host) : new JsonBody(this, this.host, contentType)
  }

  /** One chunk of a stream, or the whole of a JSON answer: they differ in one word. */
  add(value: unknown): ModelError | undefined {
    const answer = fields(value)
    if (answer.error) return errorObjectFailure(this.host, answer.error)
    if (typeof answer.model === "string" && answer.model !== "") this.model = answer.model
    const choice = firstChoice(answer.choices)
    const usage = answer.usage ?? choice?.usage
    if (usage) this.usage = usageFrom(usage)
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

  /** Whether anything was said at all. */
  check(): ModelError | undefined {
    if (this.answered) return undefined
    return failure("protocol", `${this.host} answered without any choice.`, "retry")
  }

  reply(error: ModelError | undefined): ModelReply {
    const common = {
      text: this.text || this.refusal,
      usage: this.usage,
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
      for (const [position, given] of part.tool_calls.entries()) {
        const piece = fields(given)
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
      id: typeof piece.id === "string" ? piece.id : "",
      name: typeof name === "string" ? name : "",
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

class StreamBody implements BodyReader {
  private readonly events = new SseReader((data, event) => this.take(data, event))
  private readonly reply: OpenAiReply
  private readonly host: string
  private state: "more" | "done" | "broken" = "more"
  private error: ModelError | undefined

  constructor(reply: OpenAiReply, host: string) {
    this.reply = reply
    this.host = host
  }

  push(chunk: Buffer) {
    this.events.push(chunk)
    return this.state
  }

  end(): ModelError | undefined {
    if (this.state === "more") this.events.end()
    if (this.error) return this.error
    if (this.state === "more" && this.reply.finish === undefined)
      return failure("protocol", `The stream from ${this.host} ended without its terminal event.`, "retry")
    return this.reply.check()
  }

  private take(data: string, event: string): void {
    if (this.state !== "more" || data === "") return
    if (data === "[DONE]") {
      this.state = "done"
      return
    }
    const value = parsed(data)
    if (value === undefined)
      this.error = failure(
        "protocol",
        `The stream from ${this.host} has an event that is no JSON: ${data}`,
        "retry",
      )
    else if (event === "error") this.error = errorObjectFailure(this.host, fields(value).error ?? value)
    else this.error = this.reply.add(value)
    if (this.error) this.state = "broken"
  }
}

class JsonBody implements BodyReader {
  private readonly chunks: Buffer[] = []
  private readonly reply: OpenAiReply
  private readonly host: string
  private readonly contentType: string

  constructor(reply: OpenAiReply, host: string, contentType: string) {
    this.reply = reply
    this.host = host
    this.contentType = contentType
  }

  push(chunk: Buffer): "more" {
    this.chunks.push(chunk)
    return "more"
  }

  end(): ModelError | undefined {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks)
    const text = body.toString()
    const value = parsed(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    if (value !== undefined) return this.reply.add(value) ?? this.reply.check()
    const what = body.length === 0 ? "an empty body" : "a body that is no JSON"
    const content = this.contentType || "unnamed content"
    return failure(
      "protocol",
      `${this.host} answered with ${what} (${body.length} bytes of ${content}).`,
      "retry",
    )
  }
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

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

/** Whether the text is a finished JSON object. Nothing but a closed object is certainly not cut. */
const isWhole = (text: string): boolean => text.trimEnd().endsWith("}") && parsed(text) !== undefined

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
  return {
    inputTokens: count(usage.prompt_tokens) ?? 0,
    outputTokens: count(usage.completion_tokens) ?? 0,
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

/** The fields of whatever came, so that an answer of any shape can be looked into. */
const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : nothing

const nothing: Record<string, unknown> = Object.freeze({})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
