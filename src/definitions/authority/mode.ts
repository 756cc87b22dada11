import type { PermissionRule, RuleDecision } from "../../agent/agent.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import type { Configuration } from "../configuration/configuration.ts"

/** The amount of questions that the user wants. `plan`: nothing may change. `bypass`: never set by a workspace. */
export type PermissionMode = Configuration["mode"]

/** The rules for built-in tools in a mode. A rule of the user may allow what a mode asks for, but nothing in `plan`. */
export function getModeRules(
  mode: PermissionMode,
  root: string,
): { readonly rules: readonly PermissionRule[]; readonly otherwise: RuleDecision } {
  switch (mode) {
    case "plan":
      return { rules: [...allow(looking), ...changing.map(deny)], otherwise: "deny" }
    case "default":
      return { rules: allow(looking), otherwise: "ask" }
    case "accept-edits":
      return { rules: allow([...looking, ...editing, `Edit(${root}/**)`]), otherwise: "ask" }
    case "bypass":
      return { rules: [], otherwise: "allow" }
  }
}

/** Finds the mode from which these rules come. The rules may include permissions. */
export function deriveMode({
  rules,
  otherwise,
}: {
  readonly rules: readonly PermissionRule[]
  readonly otherwise: RuleDecision
}): PermissionMode {
  if (otherwise === "deny") return "plan"
  if (otherwise === "allow") return "bypass"
  const allowed = rules.filter(({ decision }) => decision === "allow").map(({ tool }) => tool)
  const isEditing =
    editing.every((tool) => allowed.includes(tool)) && allowed.some((tool) => /^Edit\(.*\/\*\*\)$/.test(tool))
  return isEditing ? "accept-edits" : "default"
}

/** True if the first mode lets more happen without a question than the second. */
export const isWeakerMode = (one: PermissionMode, other: PermissionMode): boolean =>
  modes.indexOf(one) > modes.indexOf(other)

/** The strictest of several modes. */
export const findStrictestMode = (...some: readonly PermissionMode[]): PermissionMode | undefined =>
  modes.find((mode) => some.includes(mode))

/** All modes, the strictest first. */
const modes: readonly PermissionMode[] = ["plan", "default", "accept-edits", "bypass"]

const looking = [
  "Read",
  "Grep",
  "Glob",
  "LS",
  "DirectoryTree",
  "GitDiff",
  "TodoWrite",
  "Think",
  "Skill",
  ...runTools,
]
const editing = ["Edit", "Write", "ApplyPatch"]

/** Every way to change something, which no rule can allow in plan mode. `Edit(/**)` covers files that commands write. */
const changing = [...editing, "Bash", "Executor", "Edit(/**)"]

const deny = (tool: string): PermissionRule => ({ tool, decision: "deny" })

const allow = (tools: readonly string[]): readonly PermissionRule[] =>
  tools.map((tool) => ({ tool, decision: "allow" }))
