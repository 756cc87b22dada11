import type { Agent } from "../../../agent/agent.ts"
import { explainLostTrust } from "../../../definitions/authority/lost-trust.ts"
import { findRefusedAgent } from "../../../definitions/authority/trusted-agents.ts"
import type { FileTrust, WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { grantText } from "../trust/grant-text.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import type { ProjectRuns } from "./open.ts"

/** Throws if an untrusted file of the project defines an agent of that name, broken or not. */
export function requireTrust(
  { name }: Agent,
  registry: SubagentRegistry,
  standing: WorkspaceTrust,
  directory: string,
): void {
  const claim = findRefusedAgent(registry, standing, name)
  if (claim) throw new UntrustedError(describeUntrustedAgent(claim, standing, directory))
}

/**
 * Throws if trusted settings or hooks have changed or are gone, because more would be allowed without them. With `all`,
 * changed files are used as they are now; missing files still throw.
 */
export function requireUnchanged(
  runs: Pick<ProjectRuns, "workspace" | "standing">,
  directory: string,
  following: "all" | "kept",
): void {
  const changed = describeChangedTrust(runs, directory, following)
  if (changed !== undefined) throw new UntrustedError(changed)
}

/** The error message for trusted settings or hooks that changed. Undefined if none did. */
export const describeChangedTrust = (
  { workspace, standing }: Pick<ProjectRuns, "workspace" | "standing">,
  directory: string,
  following: "all" | "kept",
): string | undefined =>
  explainLostTrust(workspace, standing, {
    following,
    option: "--trust",
    displayPath: (file) => toDisplayPath(file, directory),
  })

/** The error message for an untrusted agent: its file, what changed, what it would be allowed to do, and what to do next. */
export function describeUntrustedAgent(
  { name, origin }: Agent,
  standing: WorkspaceTrust,
  directory: string,
): string {
  const file = origin.file === undefined ? "a file" : toDisplayPath(origin.file, directory)
  const whose = origin.scope === "package" ? "an installed package" : "this project"
  const state = stateOf(origin, standing)
  const why =
    state === "changed" ? `has changed since you trusted it (${dateOf(standing)})` : "is not trusted"
  return `Agent ${JSON.stringify(name)} will not run: its file ${file} in ${whose} ${why}.${gainsText(origin.file, standing)} Read the file, then run \`cadre trust\` to trust it. To run it once without that, use --trust.`
}

function stateOf({ file, hash }: Agent["origin"], standing: WorkspaceTrust): FileTrust {
  return file === undefined || hash === undefined ? "unknown" : standing.of({ file, hash })
}

const dateOf = ({ record }: WorkspaceTrust): string => record?.at.slice(0, 10) ?? "before"

function gainsText(file: string | undefined, { claims, shown }: WorkspaceTrust): string {
  const claim = claims.find((candidate) => candidate.file === file)
  if (!claim || file === undefined) return ""
  const before = shown(file)?.gains
  const gains = ` If trusted, it gets: ${claim.gains.map(grantText).join("; ")}.`
  if (!before) return gains
  return before.join("; ") === claim.gains.join("; ")
    ? `${gains} It had the same before.`
    : `${gains} Before, it had: ${before.map(grantText).join("; ")}.`
}
