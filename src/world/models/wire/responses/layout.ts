import type { Json, Message } from "../../../../ground/message.ts"
import { fields, wellFormedJson } from "../json.ts"

/**
 * How an answer was laid out. The provider wants its reasoning back unchanged, and before what it led to; text and
 * calls are in the message already, so only their places are kept.
 */
export type Part =
  | ReasoningPart
  /** So many characters of the message's text, after `betweenTexts`. `phase`: what the provider takes them for. */
  | { readonly type: "message"; readonly length: number; readonly phase?: string }
  /** The message's next call. */
  | { readonly type: "call" }

export interface ReasoningPart {
  readonly type: "reasoning"
  readonly summary: readonly Json[]
  /** Reasoning in the open, as some servers have it. */
  readonly content?: readonly Json[]
  /** Reasoning that only the provider reads. */
  readonly encrypted_content?: string
}

/** Stands between two texts of one answer. */
export const betweenTexts = "\n\n"

/** What a message carries of its layout; undefined where it holds no more than text and calls. */
export const layoutToKeep = (parts: readonly Part[]): Json | undefined =>
  parts.some((part) => part.type === "reasoning" || (part.type === "message" && part.phase !== undefined))
    ? (parts as readonly Json[])
    : undefined

/**
 * The layout of a message, from what was kept. Where text or calls are not what they were (somebody rewrote them),
 * reasoning comes first, then the text, then the calls.
 */
export function layoutOf(
  { text, calls }: Extract<Message, { role: "assistant" }>,
  kept: Json | undefined,
): readonly Part[] {
  const parts = Array.isArray(kept) ? kept.filter(isPart) : []
  let [texts, length, callCount] = [0, 0, 0]
  for (const part of parts) {
    if (part.type === "call") callCount++
    if (part.type !== "message") continue
    length += part.length + (texts === 0 ? 0 : betweenTexts.length)
    texts++
  }
  const isSame = callCount === calls.length && length === text.length
  if (parts.length > 0 && isSame) return withoutLoose(parts)
  return withoutLoose([
    ...parts.filter(({ type }) => type === "reasoning"),
    ...(text === "" ? [] : [{ type: "message", length: text.length } as const]),
    ...calls.map(() => ({ type: "call" }) as const),
  ])
}

/** Reasoning that led to nothing is refused. */
function withoutLoose(parts: readonly Part[]): readonly Part[] {
  const last = parts.findLastIndex(({ type }) => type !== "reasoning")
  return parts.slice(0, last + 1)
}

/** A reasoning item, byte for byte the same each time. Its id would be looked up where nothing is stored. */
export const reasoningText = ({ summary, content, encrypted_content }: ReasoningPart): string =>
  wellFormedJson({
    type: "reasoning",
    summary,
    ...(content && { content }),
    ...(encrypted_content !== undefined && { encrypted_content }),
  })

/** It comes from a log. */
function isPart(value: unknown): value is Part {
  const { type, length, phase, summary, content, encrypted_content: sealed } = fields(value)
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
