import type { Json, Message } from "../../../../ground/message.ts"
import { quoteJson, readFields } from "../json.ts"
import { type ReplyOrigin, readProviderData } from "../provider-data.ts"

/**
 * The layout of an answer with signed thinking. The provider wants its blocks back unchanged and in order. Texts and
 * calls are in the message already, so only their positions are kept.
 */
export type AnthropicPart =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  /** A part of the message's text with this length. */
  | { readonly type: "text"; readonly length: number }
  /** The next call of the message. */
  | { readonly type: "call" }

/** The layout that a message must keep. Undefined: it contains only texts and calls. */
export const keepAnthropicLayout = (parts: readonly AnthropicPart[]): Json | undefined =>
  parts.some(isThinking) ? parts : undefined

/**
 * The layout of a message for a request to `origin`, without thinking that another provider or model signed. If its
 * text or calls were rewritten, or another protocol wrote it, thinking comes first, then the text, then the calls.
 */
export function readAnthropicLayout(
  message: Extract<Message, { role: "assistant" }>,
  origin: ReplyOrigin,
): readonly AnthropicPart[] {
  const keptLayout = readProviderData(message.provider, origin, "anthropic", "model")
  const parts = Array.isArray(keptLayout) ? keptLayout.filter(isPart) : []
  const length = parts.reduce((sum, part) => sum + (part.type === "text" ? part.length : 0), 0)
  const calls = parts.filter(({ type }) => type === "call").length
  if (parts.length > 0 && length === message.text.length && calls === message.calls.length) return parts
  return [
    ...parts.filter(isThinking),
    { type: "text", length: message.text.length },
    ...message.calls.map(() => ({ type: "call" }) as const),
  ]
}

/** A thinking block, always with the same bytes. */
export const writeThinking = (part: Thinking): string =>
  part.type === "thinking"
    ? `{"type":"thinking","thinking":${quoteJson(part.thinking)},"signature":${quoteJson(part.signature)}}`
    : `{"type":"redacted_thinking","data":${quoteJson(part.data)}}`

type Thinking = Extract<AnthropicPart, { type: "thinking" | "redacted_thinking" }>

const isThinking = (part: AnthropicPart): part is Thinking =>
  part.type === "thinking" || part.type === "redacted_thinking"

/** The value comes from a log, so it is checked. */
function isPart(value: unknown): value is AnthropicPart {
  const { type, thinking, signature, data, length } = readFields(value)
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
