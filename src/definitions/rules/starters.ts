import type { Agent } from "../../agent/agent.ts"
import { agentsOf } from "../../agent/pipeline.ts"
import type { Configuration } from "../configuration/configuration.ts"
import { spawnsIn, spawnsOfFile } from "../lifecycle/written-spawns.ts"
import { shapeProblems } from "../pipelines/shape.ts"

/** What the files around agents have start. */
export interface WrittenHooks {
  readonly hooks: Configuration["hooks"]
  readonly hookFiles: readonly { readonly file: string; readonly format: string }[]
}

/** The agents that hooks, steps and pipelines start. A hook of a file is asked in the runs of all agents. */
export function startersOf({
  hooks: { user, project },
  hookFiles,
}: WrittenHooks): (agent: Agent) => readonly string[] {
  const filesOf = (format: "workflow" | "hooks") =>
    hookFiles
      .filter((place) => (place.format === "workflow") === (format === "workflow"))
      .flatMap(({ file }) => spawnsOfFile(file))
  const everywhere = [...spawnsIn(user), ...spawnsIn(project), ...filesOf("hooks")]
  const named = filesOf("workflow")
  return ({ hooks, workflow, pipeline }) => [
    ...everywhere,
    ...spawnsIn(hooks),
    ...(typeof workflow === "string" ? named : spawnsIn(workflow)),
    ...(pipeline && shapeProblems(pipeline.steps).length === 0 ? agentsOf(pipeline.steps) : []),
  ]
}
