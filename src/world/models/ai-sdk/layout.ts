import type { Json, Message } from "../../../ground/message.ts"
import { fields } from "../wire/json.ts"

/**
 * How an answer was laid out, with what its provider said about each part. It wants them back in their order and
 * unchanged; text and calls are in the message already, so only their places are kept.
 */
export type KeptPart = {
  /** The provider's own words about it. */
  readonly options?: Json
} & (
  | { readonly type: "reasoning"; readonly text: string }
  /** So many characters of the message's text. */
  | { readonly type: "text"; readonly length: number }
  /** The message's next call. */
  | { readonly type: "call" }
)

/** What a message carries; nothing where it holds no more than text and calls. */
export function layoutToKeep(provider: string, parts: readonly KeptPart[]): Json | undefined {
  if (!parts.some(({ type, options }) => type === "reasoning" || options !== undefined)) return undefined
  return { "ai-sdk": { provider: familyOf(provider), parts } }
}

/**
 * The layout of a message. Where text or calls are not what they were (somebody rewrote them, or another provider
 * wrote the message), reasoning comes first, then the text, then the calls, and nothing is said about them.
 * Reasoning that nothing follows is refused, so it is left out.
 */
export function layoutOf(
  provider: string,
  message: Extract<Message, { role: "assistant" }>,
): readonly KeptPart[] {
  const kept = fields(fields(message.provider)["ai-sdk"])
  const given: readonly unknown[] =
    kept.provider === familyOf(provider) && Array.isArray(kept.parts) ? kept.parts : []
  const parts = given.filter(isKeptPart)
  const length = parts.reduce((sum, part) => sum + (part.type === "text" ? part.length : 0), 0)
  const calls = parts.filter(({ type }) => type === "call").length
  const isSame = parts.length > 0 && length === message.text.length && calls === message.calls.length
  const laid: readonly KeptPart[] = isSame
    ? parts
    : [
        ...parts.filter(({ type }) => type === "reasoning"),
        { type: "text", length: message.text.length },
        ...message.calls.map(() => ({ type: "call" }) as const),
      ]
  const last = laid.findLastIndex((part) => part.type === "call" || (part.type === "text" && part.length > 0))
  return laid.slice(0, last + 1)
}

/** `openai.responses` and `openai.chat` are one provider's. */
const familyOf = (provider: string): string => provider.split(".")[0] ?? provider

/** It comes from a log. */
function isKeptPart(value: unknown): value is KeptPart {
  const { type, text, length } = fields(value)
  if (type === "reasoning") return typeof text === "string"
  if (type === "text") return typeof length === "number" && Number.isInteger(length) && length >= 0
  return type === "call"
}
