import { isProjects } from "../../../definitions/authority/claims.ts"
import type { Standing } from "../../../definitions/authority/standing.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"

/** What was said of a definition that somebody else may have written. */
export type EntryTrust = "trusted" | "changed" | "untrusted"

/** Undefined for what a person wrote: nobody needs to be asked about that. */
export function entryTrust(
  { candidate: { agent, scope, file } }: Entry,
  standing: Standing,
): EntryTrust | undefined {
  if (!isProjects(scope)) return undefined
  const { hash } = agent.origin
  const state = file && hash !== undefined ? standing.of({ file: file.path, hash }) : "unknown"
  return state === "unknown" ? "untrusted" : state
}

/** Behind a state; nothing where there is nothing to say. */
export function entryTrustText(trust: EntryTrust | undefined): string {
  if (trust === "untrusted") return ", not trusted"
  return trust === "changed" ? ", changed since it was trusted" : ""
}
