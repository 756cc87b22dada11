import type { HookSpawn } from "../log/event.ts"
import type { RunState } from "../state/state.ts"
import type { AgentAccess } from "./agent-access.ts"
import { binding } from "./binding-sets.ts"
import { type JudgedCall, type Judgement, judge } from "./rights.ts"

/** What the rules say of an agent that a hook hands work to: what the run's own list says in parentheses is about its model. */
export const judgeSpawn = (state: RunState, { agent: name, aliases, own }: HookSpawn): Judgement =>
  own ?? judge(binding(state.rights), handing({ type: "agent", name, ...(aliases && { aliases }) }))

export const handing = (access: AgentAccess): JudgedCall => ({ tool: "Agent", accesses: [access] })
