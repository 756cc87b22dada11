import type { Json } from "../../message.ts"
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
  refuses(body: Record<string, Json>): string | undefined
}

/** What the first rule that a body breaks answers. */
export function refusedBy(rules: readonly Rule[], body: Record<string, Json>): Refused | undefined {
  for (const { status, code, refuses } of rules) {
    const message = refuses(body)
    if (message !== undefined) return { status, message, ...(code !== undefined && { code }) }
  }
  return undefined
}
