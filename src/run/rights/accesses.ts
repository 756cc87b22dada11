import type { Access, Delegation, DelegationTool, FunctionTool, WorkPlace } from "../../agent/tool.ts"
import { variablesProblem } from "../../agent/variable.ts"
import { messageOf } from "../../ground/errors.ts"
import { belowOf, isRunId, rootOf } from "../log/id.ts"
import type { Environment } from "../ports/environment.ts"
import { agentAccess } from "./agent-access.ts"
import { generalWorker } from "./callable.ts"

/** What a call would do, as its tool tells it. A tool that cannot tell leaves it to whoever is asked. */
export function accessesOf(
  environment: Environment,
  name: string,
  input: unknown,
  run: string,
  place: WorkPlace,
): readonly Access[] | undefined | Promise<readonly Access[]> {
  const tool = environment.tools.get(name)
  if (tool?.kind === "delegation") {
    const wanted = delegationOf(tool, input)
    if (wanted?.agent === undefined && wanted?.continues !== undefined)
      return agentOf(environment, belowOf(run, wanted.continues))
    return wanted && [agentAccess(environment.agents, wanted.agent ?? generalWorker)]
  }
  // Most tools of programs tell nothing, and a promise for each of their calls would cost more than the call.
  return tool?.kind === "function" && tool.accesses ? told(tool.accesses, input, place) : undefined
}

async function told(
  accesses: NonNullable<FunctionTool["accesses"]>,
  input: unknown,
  { cwd, moved }: WorkPlace,
): Promise<readonly Access[]> {
  try {
    return await accesses(input, { cwd, ...(moved && { moved }) })
  } catch (error) {
    return [{ type: "unclear", reason: messageOf(error) }]
  }
}

/** A run that is continued goes on with the agent it had. */
async function agentOf({ store, agents }: Environment, run: string): Promise<readonly Access[]> {
  if (isRunId(run))
    for await (const head of store.list({ root: rootOf(run) }))
      if (head.run === run) return [agentAccess(agents, head.agent)]
  return [{ type: "unclear", reason: "it continues a run that nobody knows" }]
}

/** Undefined where the tool has something against the input: it will say so when it is called. */
export function delegationOf(tool: DelegationTool, input: unknown): Delegation | undefined {
  try {
    const delegation = tool.delegate(input)
    return isDelegation(delegation) ? delegation : undefined
  } catch {
    return undefined
  }
}

/** It comes from a tool, which is foreign code. */
export const isDelegation = (given: Delegation | undefined): given is Delegation =>
  typeof given?.task === "string" &&
  given.task.trim() !== "" &&
  [given.agent, given.continues].every((name) => name === undefined || typeof name === "string") &&
  (given.variables === undefined || variablesProblem(given.variables) === undefined)
