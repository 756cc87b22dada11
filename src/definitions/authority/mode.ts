import type { Decision, Rule } from "../../agent/agent.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import type { Configuration } from "../configuration/configuration.ts"

/** How much a person wants to be asked. `plan`: nothing may change. `bypass` comes only from outside a workspace. */
export type Mode = Configuration["mode"]

/** What the built-in tools may do in a mode. A rule that allows opens what a mode asks for, but nothing in `plan`. */
export function rulesOfMode(
  mode: Mode,
  root: string,
): { readonly rules: readonly Rule[]; readonly otherwise: Decision } {
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

/** The mode that gave these rules, among those of permissions. */
export function modeOfRules({
  rules,
  otherwise,
}: {
  readonly rules: readonly Rule[]
  readonly otherwise: Decision
}): Mode {
  if (otherwise === "deny") return "plan"
  if (otherwise === "allow") return "bypass"
  const allowed = rules.filter(({ decision }) => decision === "allow").map(({ tool }) => tool)
  const isEditing =
    editing.every((tool) => allowed.includes(tool)) && allowed.some((tool) => /^Edit\(.*\/\*\*\)$/.test(tool))
  return isEditing ? "accept-edits" : "default"
}

/** Whether one mode lets more happen unasked than another. */
export const isWeakerMode = (one: Mode, other: Mode): boolean => modes.indexOf(one) > modes.indexOf(other)

/** The strictest of several. */
export const strictestMode = (...some: readonly Mode[]): Mode | undefined =>
  modes.find((mode) => some.includes(mode))

/** The strictest first. */
const modes: readonly Mode[] = ["plan", "default", "accept-edits", "bypass"]

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

/** Every way to change something, whoever allows it: `Edit(/**)` is also what a command writes. */
const changing = [...editing, "Bash", "Executor", "Edit(/**)"]

const deny = (tool: string): Rule => ({ tool, decision: "deny" })

const allow = (tools: readonly string[]): readonly Rule[] =>
  tools.map((tool) => ({ tool, decision: "allow" }))
