import type { HookSpawn } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import type { AgentAccess } from "./agent-access.ts"
import { withoutOwnSets } from "./binding-sets.ts"
import { type JudgedCall, type Judgement, judge } from "./rights.ts"

/**
 * Judges a hook's spawn. Entries with parentheses in the run's own list do not count: they bind only its
 * model.
 */
export const judgeSpawn = (state: RunState, { agent: name, aliases, own }: HookSpawn): Judgement =>
  own ??
  judge(withoutOwnSets(state.rights), toHandoverCall({ type: "agent", name, ...(aliases && { aliases }) }))

export const toHandoverCall = (access: AgentAccess): JudgedCall => ({ tool: "Agent", accesses: [access] })
