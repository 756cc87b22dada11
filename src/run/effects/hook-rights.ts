import type { Access } from "../../agent/tool.ts"
import type { HookSpawn } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Hook } from "../ports/hook.ts"
import { agentAccess } from "../rights/agent-access.ts"
import { binding } from "../rights/binding-sets.ts"
import { handing } from "../rights/judge-spawn.ts"
import { type JudgedCall, type Judgement, judge } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { Drive } from "./drive-view.ts"

/** Whether a hook is the person's own: no agent's file can switch it off. What a program registers counts as that. */
export const isPersons = ({ hooks }: Drive["environment"], { name, written }: Hook): boolean =>
  written?.of === "user" || hooks.has(name)

/**
 * What the rules say of a command that a hook runs. Those that deny or ask bind it; nobody is asked for a hook, so what asks
 * refuses. Whoever wrote the command down knew what it does: that it is not known beforehand is no reason to ask.
 */
export function judgeCommand(drive: Drive, hook: Hook, { tool, accesses }: JudgedCall): Judgement {
  const { environment, state } = drive
  const { cwd, moved } = state.start!
  const rights = isPersons(environment, hook)
    ? [anchorRules(environment.ownRights, environment.tools, cwd)]
    : binding(state.rights)
  const spoken = rights.map(
    (set): RuleSet => (set.otherwise === "ask" ? { ...set, otherwise: "allow" } : set),
  )
  const plain = accesses?.flatMap(plainly)
  return judge(spoken, { tool, ...(plain && { accesses: plain }) }, moved)
}

function plainly(access: Access): readonly Access[] {
  if (access.type === "dangerous") return []
  if (!("loose" in access)) return [access]
  const { loose: _, ...known } = access
  return [known as Access]
}

/** A hook's spawn as it is recorded: with all names of the agent, and, of a person's own hook, with what the person's rules say. */
export function recordedSpawn(
  { environment, state }: Pick<Drive, "environment" | "state">,
  hook: Hook,
  { agent, ...spawn }: Omit<HookSpawn, "hook">,
): HookSpawn {
  const { type: _, name, ...access } = agentAccess(environment.agents, agent)
  const own = [anchorRules(environment.ownRights, environment.tools, state.start!.cwd)]
  return {
    ...spawn,
    hook: hook.name,
    agent: name,
    ...access,
    ...(isPersons(environment, hook) && { own: judge(own, handing({ type: "agent", name, ...access })) }),
  }
}
