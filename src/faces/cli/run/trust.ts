import type { Agent } from "../../../agent/agent.ts"
import { lostTrust } from "../../../definitions/authority/lost-trust.ts"
import type { FileStanding, Standing } from "../../../definitions/authority/standing.ts"
import { refusedClaim } from "../../../definitions/authority/trusted-agents.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import type { Opened } from "./open.ts"

/** Throws where a file of the project that nobody trusts defines an agent of that name, broken or not. */
export function requireTrust(
  { name }: Agent,
  registry: SubagentRegistry,
  standing: Standing,
  directory: string,
): void {
  const claim = refusedClaim(registry, standing, name)
  if (claim) throw new UntrustedError(untrusted(claim, standing, directory))
}

/**
 * Throws where settings or hooks that a person trusted have changed or are gone: without them more would be allowed than
 * before. Those that have changed are followed with `all`; those that are gone cannot be.
 */
export function requireUnchanged(
  runs: Pick<Opened, "workspace" | "standing">,
  directory: string,
  following: "all" | "kept",
): void {
  const changed = changedTrust(runs, directory, following)
  if (changed !== undefined) throw new UntrustedError(changed)
}

/** Undefined: nothing that was trusted has changed. */
export const changedTrust = (
  { workspace, standing }: Pick<Opened, "workspace" | "standing">,
  directory: string,
  following: "all" | "kept",
): string | undefined =>
  lostTrust(workspace, standing, {
    following,
    option: "--trust",
    shown: (file) => shownPath(file, directory),
  })

/** What keeps an agent from being run: where it comes from, what is new about it, what it would gain, and what to do. */
export function untrusted({ name, origin }: Agent, standing: Standing, directory: string): string {
  const file = origin.file === undefined ? "a file" : shownPath(origin.file, directory)
  const whose = origin.scope === "package" ? "an installed package" : "this project"
  const state = stateOf(origin, standing)
  const why =
    state === "changed"
      ? `which has changed since it was trusted (${dateOf(standing)})`
      : "and nobody has said that it is trusted"
  return `Agent ${JSON.stringify(name)} is defined by ${whose} in ${file}, ${why}.${gainsText(origin.file, standing)} Read the file; then \`cadre trust\` shows what is new and remembers your answer, and --trust runs it this once.`
}

function stateOf({ file, hash }: Agent["origin"], standing: Standing): FileStanding {
  return file === undefined || hash === undefined ? "unknown" : standing.of({ file, hash })
}

const dateOf = ({ record }: Standing): string => record?.at.slice(0, 10) ?? "before"

function gainsText(file: string | undefined, { claims, shown }: Standing): string {
  const claim = claims.find((known) => known.file === file)
  if (!claim || file === undefined) return ""
  const before = shown(file)?.gains
  const gains = ` It would have: ${claim.gains.join("; ")}.`
  if (!before) return gains
  return before.join("; ") === claim.gains.join("; ")
    ? `${gains} It had the same.`
    : `${gains} It had: ${before.join("; ")}.`
}
