import type { Agent } from "../agent.ts"
import type { Workspace } from "../registry/workspace.ts"
import { startersOf } from "../rules/starters.ts"
import { isWithin, type Reached, reachReader } from "../run/reach.ts"

/** Whom the agents of a workspace reach, by what its files say. */
export function reachIn(
  { configuration: { hooks }, hookFiles }: Workspace,
  agents: readonly Agent[],
): (agent: Agent) => readonly Reached[] {
  return reachReader({ agents, startedBy: startersOf({ hooks, hookFiles }), tools: new Map() })
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
