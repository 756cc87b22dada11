import type { Json, JsonMap } from "../../../../ground/message.ts"
import { isMap } from "../../../../ground/message.ts"
import { readFields, toStringOrEmpty } from "../json.ts"

/** The reasoning of a chat-completions answer, in the fields in which it came. */
export interface ChatReasoning {
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly reasoning_text?: string
  readonly reasoning_details?: readonly Json[]
  readonly extra_content?: Json
  /** The `extra_content` of each call, by position. */
  readonly calls?: readonly Json[]
  /** Mistral's content in order: pieces of thinking, and for each text between two of them its length. */
  readonly content?: readonly Json[]
}

type TextField = "reasoning_content" | "reasoning" | "reasoning_text"

/** Collects reasoning from the pieces of a stream or from a whole message. */
export class ReasoningParts {
  private texts: { -readonly [Name in TextField]?: string } | undefined
  private details: JsonMap[] | undefined
  private extra: Json | undefined
  private content: JsonMap[] | undefined

  /** Adds a message or a delta, and returns the text of its reasoning. */
  take(part: Record<string, unknown>): string {
    const { reasoning_content, reasoning, reasoning_text, reasoning_details, extra_content, content } = part
    if (isMap(extra_content)) this.extra = extra_content
    const thought = Array.isArray(content) ? this.takeContent(content) : ""
    if (typeof content === "string" && content !== "" && this.content) this.addText(content.length)
    const fieldText =
      this.takeText("reasoning_content", reasoning_content) +
      this.takeText("reasoning", reasoning) +
      this.takeText("reasoning_text", reasoning_text) +
      thought
    const detailText = Array.isArray(reasoning_details) ? this.takeDetails(reasoning_details) : ""
    // If both are present, they contain the same text.
    return fieldText || detailText
  }

  /** The collected reasoning. Undefined: there is none. `calls`: the extra content of each call. */
  collected(calls: readonly (Json | undefined)[]): ChatReasoning | undefined {
    const hasCalls = calls.some((call) => call !== undefined)
    if (!this.texts && !this.details && this.extra === undefined && !this.content && !hasCalls)
      return undefined
    return {
      ...this.texts,
      ...(this.details && { reasoning_details: this.details }),
      ...(this.extra !== undefined && { extra_content: this.extra }),
      ...(hasCalls && { calls: calls.map((call) => call ?? null) }),
      ...(this.content && { content: this.content }),
    }
  }

  private takeText(name: TextField, text: unknown): string {
    if (typeof text !== "string" || text === "") return ""
    this.texts ??= {}
    this.texts[name] = (this.texts[name] ?? "") + text
    return text
  }

  /** Pieces of one detail come in sequence and share its index. A signature comes last. */
  private takeDetails(items: readonly unknown[]): string {
    this.details ??= []
    let thought = ""
    for (const detail of items) {
      if (!isMap(detail)) continue
      thought += toStringOrEmpty(detail.text) || toStringOrEmpty(detail.summary)
      const last = this.details.at(-1)
      if (last && isPieceOf(last, detail)) this.details[this.details.length - 1] = joinDetails(last, detail)
      else this.details.push(detail)
    }
    return thought
  }

  private takeContent(items: readonly unknown[]): string {
    let thought = ""
    for (const part of items) {
      if (!isMap(part)) continue
      if (part.type === "reasoning") {
        thought += toStringOrEmpty(part.text) || thoughtIn(part.summary)
        continue
      }
      if (part.type === "thinking") {
        const text = thoughtIn(part.thinking)
        thought += text
        this.content ??= []
        const last = this.content.at(-1)
        if (last?.type === "thinking")
          this.content[this.content.length - 1] = thinking(thoughtIn(last.thinking) + text)
        else this.content.push(thinking(text))
      } else if (this.content && typeof part.text === "string") this.addText(part.text.length)
    }
    return thought
  }

  private addText(length: number): void {
    const last = this.content!.at(-1)!
    if (last.type === "text")
      this.content![this.content!.length - 1] = { type: "text", length: (last.length as number) + length }
    else this.content!.push({ type: "text", length })
  }
}

/** True if a part of the content is reasoning, not answer. */
export const isThought = (part: unknown): boolean =>
  ["thinking", "reasoning"].includes(toStringOrEmpty(readFields(part).type))

const thinking = (text: string): JsonMap => ({ type: "thinking", thinking: [{ type: "text", text }] })

const thoughtIn = (thinking: unknown): string =>
  typeof thinking === "string"
    ? thinking
    : Array.isArray(thinking)
      ? thinking.map((part) => toStringOrEmpty(readFields(part).text)).join("")
      : ""

/** True if a detail continues the last one. Encrypted details always come whole. */
const isPieceOf = (last: JsonMap, detail: JsonMap): boolean =>
  last.type === detail.type &&
  (last.index ?? null) === (detail.index ?? null) &&
  detail.data === undefined &&
  (detail.id === undefined || last.id === undefined || detail.id === last.id)

function joinDetails(last: JsonMap, detail: JsonMap): JsonMap {
  const presentFields = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
  return {
    ...last,
    ...presentFields,
    ...(typeof last.text === "string" && { text: last.text + toStringOrEmpty(detail.text) }),
    ...(typeof last.summary === "string" && { summary: last.summary + toStringOrEmpty(detail.summary) }),
  }
}
