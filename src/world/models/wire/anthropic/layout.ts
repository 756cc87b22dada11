import type { Json, Message } from "../../../../ground/message.ts"
import { fields, quoted } from "../json.ts"
import { keptBy, type Origin } from "../provider-data.ts"

/**
 * How an answer with signed thinking was laid out. The provider wants its blocks back in their order and
 * unchanged; text and calls are in the message already, so only their places are kept.
 */
export type Part =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  /** So many characters of the message's text. */
  | { readonly type: "text"; readonly length: number }
  /** The message's next call. */
  | { readonly type: "call" }

/** What a message carries of its layout; nothing where it holds no more than text and calls. */
export const layoutToKeep = (parts: readonly Part[]): Json | undefined =>
  parts.some(isThinking) ? parts : undefined

/**
 * The layout of a message, for a request to `origin`: thinking that another provider or model signed is left out. Where text or calls are not what they were (somebody rewrote them, or another
 * protocol wrote the message), thinking comes first, then the text, then the calls.
 */
export function layoutOf(message: Extract<Message, { role: "assistant" }>, origin: Origin): readonly Part[] {
  const given = keptBy(message.provider, origin, "anthropic", "model")
  const parts = Array.isArray(given) ? given.filter(isPart) : []
  const length = parts.reduce((sum, part) => sum + (part.type === "text" ? part.length : 0), 0)
  const calls = parts.filter(({ type }) => type === "call").length
  if (parts.length > 0 && length === message.text.length && calls === message.calls.length) return parts
  return [
    ...parts.filter(isThinking),
    { type: "text", length: message.text.length },
    ...message.calls.map(() => ({ type: "call" }) as const),
  ]
}

/** A thinking block, byte for byte the same each time. */
export const thinkingText = (part: Thinking): string =>
  part.type === "thinking"
    ? `{"type":"thinking","thinking":${quoted(part.thinking)},"signature":${quoted(part.signature)}}`
    : `{"type":"redacted_thinking","data":${quoted(part.data)}}`

type Thinking = Extract<Part, { type: "thinking" | "redacted_thinking" }>

const isThinking = (part: Part): part is Thinking =>
  part.type === "thinking" || part.type === "redacted_thinking"

/** It comes from a log. */
function isPart(value: unknown): value is Part {
  const { type, thinking, signature, data, length } = fields(value)
  switch (type) {
    case "thinking":
      return typeof thinking === "string" && typeof signature === "string"
    case "redacted_thinking":
      return typeof data === "string"
    case "text":
      return typeof length === "number" && Number.isInteger(length) && length >= 0
    default:
      return type === "call"
  }
}
