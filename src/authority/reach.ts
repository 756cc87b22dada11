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

/**
 * What people were shown of the reach of a project's files: of each file whom it reaches, and what those ask for. That is
 * said once, in `agents`, of all who ask for the same wherever they are called from.
 */
export interface ShownReach {
  readonly agents: { readonly [name: string]: readonly string[] }
  readonly files: { readonly [file: string]: readonly (string | Reached)[] }
}

/** Whom a file may have work, of those it reaches now: nobody who joined, or asks for more, since it was shown. */
export function shownOf(
  shown: ShownReach | undefined,
  file: string,
  reach: readonly Reached[],
): readonly Reached[] {
  if (!shown || !Object.hasOwn(shown.files, file)) return []
  const asked = new Map(
    shown.files[file]!.map((one) =>
      typeof one === "string" ? [one, shown.agents[one] ?? []] : [one.name, one.tools],
    ),
  )
  return reach.filter(({ name, tools }) => asked.has(name) && isWithin(tools, asked.get(name)!))
}

export function shownReach(
  before: ShownReach | undefined,
  items: readonly (readonly [file: string, reach: readonly Reached[]])[],
): ShownReach {
  // What was said of other files stays as it was.
  const agents = new Map(Object.entries(before?.agents ?? {}))
  const entryOf = ({ name, tools }: Reached): string | Reached => {
    const known = agents.get(name)
    if (!known) agents.set(name, tools)
    return !known || JSON.stringify(known) === JSON.stringify(tools) ? name : { name, tools }
  }
  const files = items.map(([file, reach]) => [file, reach.map(entryOf)] as const)
  return {
    agents: Object.fromEntries(agents),
    files: { ...before?.files, ...Object.fromEntries(files) },
  }
}

export const reachedText = ({ name, tools }: Reached): string => `${name} (${tools.join(", ") || "no tools"})`
