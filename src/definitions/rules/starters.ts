import type { Agent } from "../../agent/agent.ts"
import { listStepAgents } from "../../agent/pipeline.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { collectFileSpawns, collectSpawns } from "../lifecycle/written-spawns.ts"
import { shapeProblems } from "../pipelines/shape.ts"

/** The hooks and workflows that are written outside of agents, and that may start agents. */
export interface WrittenHooks {
  readonly hooks: Configuration["hooks"]
  readonly hookFiles: readonly { readonly file: string; readonly format: string }[]
}

/** Returns the agents that hooks, steps and pipelines start in runs of an agent. Hooks of files apply to all agents. */
export function findStartedAgents({
  hooks: { user, project },
  hookFiles,
}: WrittenHooks): (agent: Agent) => readonly string[] {
  const filesOf = (format: "workflow" | "hooks") =>
    hookFiles
      .filter((place) => (place.format === "workflow") === (format === "workflow"))
      .flatMap(({ file }) => collectFileSpawns(file))
  const everywhere = [...collectSpawns(user), ...collectSpawns(project), ...filesOf("hooks")]
  const workflowSpawns = filesOf("workflow")
  return ({ hooks, workflow, pipeline }) => [
    ...everywhere,
    ...collectSpawns(hooks),
    ...(typeof workflow === "string" ? workflowSpawns : collectSpawns(workflow)),
    ...(pipeline && shapeProblems(pipeline.steps).length === 0 ? listStepAgents(pipeline.steps) : []),
  ]
}
