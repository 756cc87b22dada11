import type { Access } from "../../agent/tool.ts"
import type { HookSpawn } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Hook } from "../ports/hook.ts"
import { getAgentAccess } from "../rights/agent-access.ts"
import { withoutOwnSets } from "../rights/binding-sets.ts"
import { toHandoverCall } from "../rights/judge-spawn.ts"
import { type JudgedCall, type Judgement, judge } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { Drive } from "./drive-view.ts"

/**
 * True if a hook is the user's own, so that no agent's file can switch it off. Hooks that a program registers
 * count as such.
 */
export const isUserHook = ({ hooks }: Drive["environment"], { name, written }: Hook): boolean =>
  written?.of === "user" || hooks.has(name)

/**
 * Judges a command of a hook. Rules that deny or ask bind it; a hook cannot ask a person, so `ask` means
 * refusal. That the effects of a command are unclear is no reason to ask, because its author knew them.
 */
export function judgeCommand(drive: Drive, hook: Hook, { tool, accesses }: JudgedCall): Judgement {
  const { environment, state } = drive
  const { cwd, moved } = state.start!
  const rights = isUserHook(environment, hook)
    ? [anchorRules(environment.ownRights, environment.tools, cwd)]
    : withoutOwnSets(state.rights)
  const explicit = rights.map(
    (set): RuleSet => (set.otherwise === "ask" ? { ...set, otherwise: "allow" } : set),
  )
  const plain = accesses?.flatMap(withoutDoubt)
  return judge(explicit, { tool, ...(plain && { accesses: plain }) }, moved)
}

function withoutDoubt(access: Access): readonly Access[] {
  if (access.type === "dangerous") return []
  if (!("loose" in access)) return [access]
  const { loose: _, ...rest } = access
  return [rest as Access]
}

/**
 * A hook's spawn as it is recorded: with all names of the agent. For the user's own hook it includes the
 * decision of the user's rules.
 */
export function toRecordedSpawn(
  { environment, state }: Pick<Drive, "environment" | "state">,
  hook: Hook,
  { agent, ...spawn }: Omit<HookSpawn, "hook">,
): HookSpawn {
  const { type: _, name, ...access } = getAgentAccess(environment.agents, agent)
  const own = [anchorRules(environment.ownRights, environment.tools, state.start!.cwd)]
  return {
    ...spawn,
    hook: hook.name,
    agent: name,
    ...access,
    ...(isUserHook(environment, hook) && {
      own: judge(own, toHandoverCall({ type: "agent", name, ...access })),
    }),
  }
}
