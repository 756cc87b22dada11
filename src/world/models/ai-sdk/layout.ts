import type { Json, Message } from "../../../ground/message.ts"
import { readFields } from "../wire/json.ts"

/**
 * The layout of an answer, with the provider's metadata for each part. The provider wants the parts back unchanged and
 * in order. Texts and calls are in the message already, so only their positions are kept.
 */
export type KeptPart = {
  /** The provider's own metadata. */
  readonly options?: Json
} & (
  | { readonly type: "reasoning"; readonly text: string }
  /** A part of the message's text with this length. */
  | { readonly type: "text"; readonly length: number }
  /** The next call of the message. */
  | { readonly type: "call" }
)

/** The layout that a message must keep. Undefined: it contains only texts and calls. */
export function keepAiSdkLayout(provider: string, parts: readonly KeptPart[]): Json | undefined {
  if (!parts.some(({ type, options }) => type === "reasoning" || options !== undefined)) return undefined
  return { "ai-sdk": { provider: familyOf(provider), parts } }
}

/**
 * The layout of a message. If its text or calls were rewritten, or another provider wrote it, reasoning comes first,
 * then the text, then the calls, without metadata. Providers refuse reasoning at the end, so it is removed.
 */
export function readAiSdkLayout(
  provider: string,
  message: Extract<Message, { role: "assistant" }>,
): readonly KeptPart[] {
  const keptLayout = readFields(readFields(message.provider)["ai-sdk"])
  const keptParts: readonly unknown[] =
    keptLayout.provider === familyOf(provider) && Array.isArray(keptLayout.parts) ? keptLayout.parts : []
  const parts = keptParts.filter(isKeptPart)
  const length = parts.reduce((sum, part) => sum + (part.type === "text" ? part.length : 0), 0)
  const calls = parts.filter(({ type }) => type === "call").length
  const isSame = parts.length > 0 && length === message.text.length && calls === message.calls.length
  const layout: readonly KeptPart[] = isSame
    ? parts
    : [
        ...parts.filter(({ type }) => type === "reasoning"),
        { type: "text", length: message.text.length },
        ...message.calls.map(() => ({ type: "call" }) as const),
      ]
  const last = layout.findLastIndex(
    (part) => part.type === "call" || (part.type === "text" && part.length > 0),
  )
  return layout.slice(0, last + 1)
}

/** `openai.responses` and `openai.chat` belong to one provider. */
const familyOf = (provider: string): string => provider.split(".")[0] ?? provider

/** The value comes from a log, so it is checked. */
function isKeptPart(value: unknown): value is KeptPart {
  const { type, text, length } = readFields(value)
  if (type === "reasoning") return typeof text === "string"
  if (type === "text") return typeof length === "number" && Number.isInteger(length) && length >= 0
  return type === "call"
}
