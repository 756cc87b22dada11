import type { Json } from "../../../ground/message.ts"
import type { Refused } from "./protocol.ts"

/** One thing that a provider refuses, and how it is known. */
export interface Rule {
  readonly name: string
  /** The provider's own sentence. */
  readonly says: string
  /** Where it stands. */
  readonly source: string
  /** The day it was read there. */
  readonly read: string
  readonly status: number
  readonly code?: string
  /** The text that a body is refused with. */
  refuses(body: Record<string, Json>, sent: SentReplies): string | undefined
}

/** What this server's replies held beside text and calls, by the ids of their calls: providers want it back. */
export type SentReplies = ReadonlyMap<string, Json>

/** What the first rule that a body breaks answers. */
export function refusedBy(
  rules: readonly Rule[],
  body: Record<string, Json>,
  sent: SentReplies = new Map(),
): Refused | undefined {
  for (const { status, code, refuses } of rules) {
    const message = refuses(body, sent)
    if (message !== undefined) return { status, message, ...(code !== undefined && { code }) }
  }
  return undefined
}
