import type { Agent } from "../../agent/agent.ts"
import { describeThrown } from "../../ground/errors.ts"
import { resolveDelegation } from "../rights/accesses.ts"
import { getAgentAccess } from "../rights/agent-access.ts"
import { findDenier, generalWorker, mayCall } from "../rights/callable.ts"
import { createReachTest } from "../rights/reach-limit.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"

/** The agent that a run hands work to; or the reason why it may not, with the agents that it may call. */
export function lookUpAgent(
  { environment, state, definition }: Drive,
  call: Pick<OpenCall, "tool">,
  name: string | undefined,
): Agent | { problem: string; warning?: string } {
  const { agents } = environment
  const accessTo = (other: string) => getAgentAccess(agents, other)
  const isReached = createReachTest(environment, definition.agent, state.rights)
  const isCallable = (other: string) =>
    mayCall(call.tool, definition.agent, state.rights, accessTo(other)) && isReached(other)
  const callable = () => [...agents.names()].filter(isCallable)
  if (name === undefined && !(agents.find(generalWorker) && isCallable(generalWorker)))
    return { problem: `Name the agent that should do this. Known: ${callable().join(", ") || "none"}.` }
  try {
    const agent = agents.get(name ?? generalWorker)
    if (isCallable(agent.name)) return agent
    const why =
      agent.name === definition.agent.name
        ? "its definition does not allow it to call itself (`recursive: true`)"
        : isReached(agent.name)
          ? `the rules of ${findDenier(call.tool, state.rights, accessTo(agent.name))} do not permit it`
          : "that agent was not trusted for it, or asks for more since then (`cadre trust` shows it)"
    const refusal = `Agent "${definition.agent.name}" may not call "${agent.name}": ${why}.`
    return {
      problem: `${refusal} It may call: ${callable().join(", ") || "none"}.`,
      ...(!isReached(agent.name) && { warning: refusal }),
    }
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

/** The problem with an unknown agent name, which is reported before any rule is applied. */
export function findUnknownAgentProblem(drive: Drive, name: string, input: unknown): string | undefined {
  const { tools, agents } = drive.environment
  const tool = tools.get(name)
  const delegation = tool?.kind === "delegation" ? resolveDelegation(tool, input) : undefined
  if (!delegation || delegation.continues !== undefined) return undefined
  if (delegation.agent !== undefined && agents.find(delegation.agent)) return undefined
  const agent = lookUpAgent(drive, { tool: name }, delegation.agent)
  return "problem" in agent ? agent.problem : undefined
}
