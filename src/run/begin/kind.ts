import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Binding, PlannedCaller, PlannedStart, Planner } from "../ports/planner.ts"

/** Which `decide` drives the runs of an agent. */
export function kindOf({ pipeline, executor }: Agent): string {
  if (executor !== undefined) return "command"
  return pipeline === undefined ? "agent" : "pipeline"
}

/** What is to be told of a run of this kind. Throws a CadreError where it could not start here. */
export async function checkKind(
  environment: Pick<Environment, "planners" | "agents">,
  agent: Agent,
  task: string,
  { continues, model }: Pick<Beginning, "continues" | "model">,
  binding: Binding & Pick<PlannedCaller, "maxSpawns" | "variables">,
): Promise<PlannedStart> {
  const kind = kindOf(agent)
  if (kind === "agent") return {}
  if (continues !== undefined)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "call",
        message: `Agent "${agent.name}" cannot continue run ${continues}: it is a ${kind} and has no history to go on with. Start it anew.`,
      },
    ])
  const call = { ...binding, ...(typeof model === "string" && { model }) }
  return (await plannerOf(environment, kind).begin?.(agent, task, environment.agents, call)) ?? {}
}

export function plannerOf({ planners }: Pick<Environment, "planners">, kind: string): Planner {
  if (planners && Object.hasOwn(planners, kind)) return planners[kind]!
  throw new StartError([
    { code: "AGENT_INVALID", kind: "here", message: `This runtime runs no agent that is a ${kind}.` },
  ])
}
