import type { Agent } from "../../agent/agent.ts"
import { messageOf } from "../../ground/errors.ts"
import { delegationOf } from "../rights/accesses.ts"
import { agentAccess } from "../rights/agent-access.ts"
import { generalWorker, mayCall, whoDenies } from "../rights/callable.ts"
import { reachedNow } from "../rights/reach-limit.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"

/** The agent that a run hands work to; or why it cannot be that one, with those that it can be. */
export function lookUp(
  { environment, state, definition }: Drive,
  call: Pick<OpenCall, "tool">,
  name: string | undefined,
): Agent | { problem: string; warning?: string } {
  const { agents } = environment
  const accessTo = (other: string) => agentAccess(agents, other)
  const isReached = reachedNow(environment, definition.agent, state.rights)
  const isCallable = (other: string) =>
    mayCall(call.tool, definition.agent, state.rights, accessTo(other)) && isReached(other)
  const callable = () => [...agents.names()].filter(isCallable)
  if (name === undefined && !(agents.find(generalWorker) && isCallable(generalWorker)))
    return { problem: `Name the agent that is to do it. Known: ${callable().join(", ") || "none"}.` }
  try {
    const agent = agents.get(name ?? generalWorker)
    if (isCallable(agent.name)) return agent
    const why =
      agent.name === definition.agent.name
        ? "its definition does not say that it may call itself (`recursive: true`)"
        : isReached(agent.name)
          ? `the rules of ${whoDenies(call.tool, state.rights, accessTo(agent.name))} do not permit it`
          : "it was not among those that were trusted, or asks for more since (`cadre trust` shows it)"
    const refusal = `Agent "${definition.agent.name}" may not call "${agent.name}": ${why}.`
    return {
      problem: `${refusal} It may call: ${callable().join(", ") || "none"}.`,
      ...(!isReached(agent.name) && { warning: refusal }),
    }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** A name that nobody has is told as such, whatever the rules would say of it. */
export function unknownAgent(drive: Drive, name: string, input: unknown): string | undefined {
  const { tools, agents } = drive.environment
  const tool = tools.get(name)
  const delegation = tool?.kind === "delegation" ? delegationOf(tool, input) : undefined
  if (!delegation || delegation.continues !== undefined) return undefined
  if (delegation.agent !== undefined && agents.find(delegation.agent)) return undefined
  const found = lookUp(drive, { tool: name }, delegation.agent)
  return "problem" in found ? found.problem : undefined
}
