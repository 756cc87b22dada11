import type { Agent } from "../agent.ts"
import { spawnsIn, spawnsOfFile } from "../lifecycle/written-spawns.ts"
import { agentsOf } from "../pipeline.ts"
import { shapeProblems } from "../pipelines/shape.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isWithin, type Reached, reachReader } from "../run/reach.ts"

/** Whom the agents of a workspace reach, by what its files say. */
export function reachIn(
  workspace: Workspace,
  agents: readonly Agent[],
): (agent: Agent) => readonly Reached[] {
  return reachReader({ agents, startedBy: startersOf(workspace), tools: new Map() })
}

/** The agents that hooks, steps and pipelines start. A hook of a file is asked in the runs of all agents. */
function startersOf({
  configuration,
  hookFiles,
}: Pick<Workspace, "configuration" | "hookFiles">): (agent: Agent) => readonly string[] {
  const { user, project } = configuration.hooks
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

/** What people were shown of the reach of a project's files: once what each agent asks for, and of each file whom it reaches. */
export interface ShownReach {
  readonly agents: { readonly [name: string]: readonly string[] }
  readonly files: { readonly [file: string]: readonly string[] }
}

/** Whom a file may have work, of those it reaches now: nobody who joined, or asks for more, since it was shown. */
export const shownOf = (
  shown: ShownReach | undefined,
  file: string,
  reach: readonly Reached[],
): readonly Reached[] => reach.filter((one) => wasShown(shown, file, one))

function wasShown(shown: ShownReach | undefined, file: string, { name, tools }: Reached): boolean {
  if (!shown || !Object.hasOwn(shown.files, file) || !Object.hasOwn(shown.agents, name)) return false
  return shown.files[file]!.includes(name) && isWithin(tools, shown.agents[name]!)
}

export const shownReach = (
  before: ShownReach | undefined,
  items: readonly (readonly [file: string, reach: readonly Reached[]])[],
): ShownReach => ({
  agents: {
    ...before?.agents,
    ...Object.fromEntries(items.flatMap(([, reach]) => reach.map(({ name, tools }) => [name, tools]))),
  },
  files: {
    ...before?.files,
    ...Object.fromEntries(items.map(([file, reach]) => [file, reach.map(({ name }) => name)])),
  },
})

export const reachedText = ({ name, tools }: Reached): string => `${name} (${tools.join(", ") || "no tools"})`
