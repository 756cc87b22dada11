import type { Json, Message } from "../../../../ground/message.ts"
import { readFields, writeWellFormedJson } from "../json.ts"

/**
 * The layout of an answer. The provider wants its reasoning back unchanged, and before the parts that it led to. Texts
 * and calls are in the message already, so only their positions are kept.
 */
export type ResponsePart =
  | ReasoningPart
  /** A part of the message's text with this length, after `betweenTexts`. `phase`: the provider's label for it. */
  | { readonly type: "message"; readonly length: number; readonly phase?: string }
  /** The next call of the message. */
  | { readonly type: "call" }

export interface ReasoningPart {
  readonly type: "reasoning"
  readonly summary: readonly Json[]
  /** Readable reasoning, which some servers send. */
  readonly content?: readonly Json[]
  /** Reasoning that only the provider can read. */
  readonly encrypted_content?: string
}

/** The separator between two texts of one answer. */
export const betweenTexts = "\n\n"

/** The layout that a message must keep. Undefined: it contains only texts and calls. */
export const keepResponseLayout = (parts: readonly ResponsePart[]): Json | undefined =>
  parts.some((part) => part.type === "reasoning" || (part.type === "message" && part.phase !== undefined))
    ? (parts as readonly Json[])
    : undefined

/**
 * The layout of a message, from the kept one. If its text or calls were rewritten, reasoning comes first, then the
 * text, then the calls.
 */
export function readResponseLayout(
  { text, calls }: Extract<Message, { role: "assistant" }>,
  keptLayout: Json | undefined,
): readonly ResponsePart[] {
  const parts = Array.isArray(keptLayout) ? keptLayout.filter(isPart) : []
  let [texts, length, callCount] = [0, 0, 0]
  for (const part of parts) {
    if (part.type === "call") callCount++
    if (part.type !== "message") continue
    length += part.length + (texts === 0 ? 0 : betweenTexts.length)
    texts++
  }
  const isSame = callCount === calls.length && length === text.length
  if (parts.length > 0 && isSame) return withoutTrailingReasoning(parts)
  return withoutTrailingReasoning([
    ...parts.filter(({ type }) => type === "reasoning"),
    ...(text === "" ? [] : [{ type: "message", length: text.length } as const]),
    ...calls.map(() => ({ type: "call" }) as const),
  ])
}

/** Removes reasoning at the end, which the provider refuses if nothing follows. */
function withoutTrailingReasoning(parts: readonly ResponsePart[]): readonly ResponsePart[] {
  const last = parts.findLastIndex(({ type }) => type !== "reasoning")
  return parts.slice(0, last + 1)
}

/**
 * A reasoning item, always with the same bytes. It has no id, because the provider would look that up although nothing
 * is stored.
 */
export const writeReasoning = ({ summary, content, encrypted_content }: ReasoningPart): string =>
  writeWellFormedJson({
    type: "reasoning",
    summary,
    ...(content && { content }),
    ...(encrypted_content !== undefined && { encrypted_content }),
  })

/** The value comes from a log, so it is checked. */
function isPart(value: unknown): value is ResponsePart {
  const { type, length, phase, summary, content, encrypted_content: sealed } = readFields(value)
  switch (type) {
    case "reasoning":
      return (
        Array.isArray(summary) &&
        (content === undefined || Array.isArray(content)) &&
        (sealed === undefined || typeof sealed === "string")
      )
    case "message":
      return (
        typeof length === "number" &&
        Number.isInteger(length) &&
        length > 0 &&
        (phase === undefined || typeof phase === "string")
      )
    default:
      return type === "call"
  }
}
