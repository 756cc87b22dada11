import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { PlannedCaller, PlannedStart, Planner, RunBounds } from "../ports/planner.ts"

/** The kind of an agent's runs: the model drives `agent`, a planner drives the others. */
export function getRunKind({ pipeline, executor, call }: Agent): string {
  if (call !== undefined) return "call"
  if (executor !== undefined) return "command"
  return pipeline === undefined ? "agent" : "pipeline"
}

/** Asks the planner of this kind about a run that is about to start. Throws a CadreError where the run cannot start here. */
export async function checkKind(
  environment: Pick<Environment, "planners" | "agents">,
  agent: Agent,
  task: string,
  { continues, model }: Pick<Beginning, "continues" | "model">,
  binding: RunBounds & Pick<PlannedCaller, "maxSpawns" | "variables">,
): Promise<PlannedStart> {
  const kind = getRunKind(agent)
  if (kind === "agent") return {}
  if (continues !== undefined)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "call",
        message: `Agent "${agent.name}" cannot continue run ${continues}: a run of kind ${kind} has no history to continue. Start a new run instead.`,
      },
    ])
  const call = { ...binding, ...(typeof model === "string" && { model }) }
  return (await getPlanner(environment, kind).begin?.(agent, task, environment.agents, call)) ?? {}
}

export function getPlanner({ planners }: Pick<Environment, "planners">, kind: string): Planner {
  if (planners && Object.hasOwn(planners, kind)) return planners[kind]!
  throw new StartError([
    {
      code: "AGENT_INVALID",
      kind: "here",
      message: `This runtime has no planner for agents of kind ${kind}. Use createRuntime, or give openRuntime \`planners\`.`,
    },
  ])
}
