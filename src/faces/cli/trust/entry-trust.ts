import { isFromProject } from "../../../definitions/authority/claims.ts"
import type { WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"

/** The trust in a definition that comes from a project or a package. */
export type EntryTrust = "trusted" | "changed" | "untrusted"

/** Undefined for the user's own definitions and built-in ones, which need no trust. */
export function getEntryTrust(
  { candidate: { agent, scope, file } }: RegistryEntry,
  standing: WorkspaceTrust,
): EntryTrust | undefined {
  if (!isFromProject(scope)) return undefined
  const { hash } = agent.origin
  const state = file && hash !== undefined ? standing.of({ file: file.path, hash }) : "unknown"
  return state === "unknown" ? "untrusted" : state
}

/** The text after an agent's state. Empty for a trusted agent. */
export function describeEntryTrust(trust: EntryTrust | undefined): string {
  if (trust === "untrusted") return ", not trusted"
  return trust === "changed" ? ", changed since it was trusted" : ""
}
