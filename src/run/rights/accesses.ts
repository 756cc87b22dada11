import type { Access, Delegation, DelegationTool, FunctionTool, WorkPlace } from "../../agent/tool.ts"
import { findVariablesProblem } from "../../agent/variable.ts"
import { describeThrown } from "../../ground/errors.ts"
import { getRootRun, isRunId, toFullRunId } from "../log/id.ts"
import type { Environment } from "../ports/environment.ts"
import { getAgentAccess } from "./agent-access.ts"
import { generalWorker } from "./callable.ts"

/** The accesses of a call, as its tool reports them. Undefined if the tool does not report any. */
export function resolveAccesses(
  environment: Environment,
  name: string,
  input: unknown,
  run: string,
  place: WorkPlace,
): readonly Access[] | undefined | Promise<readonly Access[]> {
  const tool = environment.tools.get(name)
  if (tool?.kind === "delegation") {
    const delegation = resolveDelegation(tool, input)
    if (delegation?.agent === undefined && delegation?.continues !== undefined)
      return agentOf(environment, toFullRunId(run, delegation.continues))
    return delegation && [getAgentAccess(environment.agents, delegation.agent ?? generalWorker)]
  }
  // Most tools of embedding programs report no accesses, and a promise for each call would cost more than the
  // call.
  return tool?.kind === "function" && tool.accesses ? readAccesses(tool.accesses, input, place) : undefined
}

async function readAccesses(
  accesses: NonNullable<FunctionTool["accesses"]>,
  input: unknown,
  { cwd, moved, toolDefinition }: WorkPlace,
): Promise<readonly Access[]> {
  try {
    return await accesses(input, { cwd, ...(moved && { moved }), ...(toolDefinition && { toolDefinition }) })
  } catch (error) {
    return [{ type: "unclear", reason: describeThrown(error) }]
  }
}

/** A continued run keeps its agent. */
async function agentOf({ store, agents }: Environment, run: string): Promise<readonly Access[]> {
  if (isRunId(run))
    for await (const head of store.list({ root: getRootRun(run) }))
      if (head.run === run) return [getAgentAccess(agents, head.agent)]
  return [{ type: "unclear", reason: "it continues an unknown run" }]
}

/** Undefined if the tool rejects the input: the call itself will report that. */
export function resolveDelegation(tool: DelegationTool, input: unknown): Delegation | undefined {
  try {
    const delegation = tool.delegate(input)
    return isDelegation(delegation) ? delegation : undefined
  } catch {
    return undefined
  }
}

/** Checks the shape, because a tool is foreign code. */
export const isDelegation = (value: Delegation | undefined): value is Delegation =>
  typeof value?.task === "string" &&
  value.task.trim() !== "" &&
  [value.agent, value.continues].every((name) => name === undefined || typeof name === "string") &&
  (value.variables === undefined || findVariablesProblem(value.variables) === undefined)
