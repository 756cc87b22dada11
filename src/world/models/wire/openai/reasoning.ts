import type { Json, JsonMap } from "../../../../ground/message.ts"
import { isMap } from "../../../../ground/message.ts"
import { fields, textOf } from "../json.ts"

/** What an answer of chat completions holds beside its text and calls, in the fields that it came in. */
export interface ChatReasoning {
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly reasoning_text?: string
  readonly reasoning_details?: readonly Json[]
  readonly extra_content?: Json
  /** The `extra_content` of each call, by its place. */
  readonly calls?: readonly Json[]
  /** Mistral's content: thinking as it came, and how many characters of the text stand between. */
  readonly content?: readonly Json[]
}

type TextField = "reasoning_content" | "reasoning" | "reasoning_text"

/** Gathers it, from the pieces of a stream or from a whole message. */
export class ReasoningParts {
  private texts: { -readonly [Name in TextField]?: string } | undefined
  private details: JsonMap[] | undefined
  private extra: Json | undefined
  private content: JsonMap[] | undefined

  /** Takes in what a message or a delta has, and gives the text of what was thought. */
  take(part: Record<string, unknown>): string {
    const { reasoning_content, reasoning, reasoning_text, reasoning_details, extra_content, content } = part
    if (isMap(extra_content)) this.extra = extra_content
    const thought = Array.isArray(content) ? this.takeContent(content) : ""
    if (typeof content === "string" && content !== "" && this.content) this.addText(content.length)
    const told =
      this.takeText("reasoning_content", reasoning_content) +
      this.takeText("reasoning", reasoning) +
      this.takeText("reasoning_text", reasoning_text) +
      thought
    const detailed = Array.isArray(reasoning_details) ? this.takeDetails(reasoning_details) : ""
    // Where both are given they say the same.
    return told || detailed
  }

  /** Undefined where there is none. `calls`: what came with each call. */
  kept(calls: readonly (Json | undefined)[]): ChatReasoning | undefined {
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

  /** Pieces of one detail come one after the other, and have its index; a signature comes last. */
  private takeDetails(given: readonly unknown[]): string {
    this.details ??= []
    let thought = ""
    for (const detail of given) {
      if (!isMap(detail)) continue
      thought += textOf(detail.text) || textOf(detail.summary)
      const last = this.details.at(-1)
      if (last && isPieceOf(last, detail)) this.details[this.details.length - 1] = joined(last, detail)
      else this.details.push(detail)
    }
    return thought
  }

  private takeContent(given: readonly unknown[]): string {
    let thought = ""
    for (const part of given) {
      if (!isMap(part)) continue
      if (part.type === "reasoning") {
        thought += textOf(part.text) || thoughtIn(part.summary)
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

/** Whether a part of a content is no part of the answer. */
export const isThought = (part: unknown): boolean =>
  ["thinking", "reasoning"].includes(textOf(fields(part).type))

const thinking = (text: string): JsonMap => ({ type: "thinking", thinking: [{ type: "text", text }] })

const thoughtIn = (thinking: unknown): string =>
  typeof thinking === "string"
    ? thinking
    : Array.isArray(thinking)
      ? thinking.map((part) => textOf(fields(part).text)).join("")
      : ""

/** What nobody can read comes whole. */
const isPieceOf = (last: JsonMap, detail: JsonMap): boolean =>
  last.type === detail.type &&
  (last.index ?? null) === (detail.index ?? null) &&
  detail.data === undefined &&
  (detail.id === undefined || last.id === undefined || detail.id === last.id)

function joined(last: JsonMap, detail: JsonMap): JsonMap {
  const told = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
  return {
    ...last,
    ...told,
    ...(typeof last.text === "string" && { text: last.text + textOf(detail.text) }),
    ...(typeof last.summary === "string" && { summary: last.summary + textOf(detail.summary) }),
  }
}
