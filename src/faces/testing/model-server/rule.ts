import type { Json } from "../../../ground/message.ts"
import type { ErrorAnswer } from "./protocol.ts"

/** A rule by which a provider refuses requests, with the source of the rule. */
export interface RefusalRule {
  readonly name: string
  /** The provider's own error message or documentation. */
  readonly says: string
  /** The place where the message was found. */
  readonly source: string
  /** The day on which the source was read. */
  readonly read: string
  readonly status: number
  readonly code?: string
  /** Returns the error message for a body that breaks the rule. */
  refuses(body: Record<string, Json>, sent: SentReplies): string | undefined
}

/** Parts of this server's replies that clients must send back, such as signatures, by the id of a call. */
export type SentReplies = ReadonlyMap<string, Json>

/** The refusal of the first rule that a body breaks. */
export function findFirstRefusal(
  rules: readonly RefusalRule[],
  body: Record<string, Json>,
  sent: SentReplies = new Map(),
): ErrorAnswer | undefined {
  for (const { status, code, refuses } of rules) {
    const message = refuses(body, sent)
    if (message !== undefined) return { status, message, ...(code !== undefined && { code }) }
  }
  return undefined
}
