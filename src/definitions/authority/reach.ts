import type { Agent } from "../../agent/agent.ts"
import { type AskedTools, isWithin } from "../../run/rights/asked-tools.ts"
import { type Reached, reachReader } from "../../run/rights/reach.ts"
import type { Workspace } from "../registry/workspace.ts"
import { startersOf } from "../rules/starters.ts"

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
  /** Absent where only the entries of lists were shown: that says nothing of what was denied then. */
  readonly version?: typeof version
  readonly agents: { readonly [name: string]: AskedTools }
  readonly files: { readonly [file: string]: readonly (string | Reached)[] }
}

const version = 2

/** Whom a file may have work, of those it reaches now: nobody who joined, or asks for more, since it was shown. */
export function shownOf(
  shown: ShownReach | undefined,
  file: string,
  reach: readonly Reached[],
): readonly Reached[] {
  if (shown?.version !== version || !Object.hasOwn(shown.files, file)) return []
  const asked = new Map(
    shown.files[file]!.map((one) =>
      typeof one === "string" ? [one, shown.agents[one] ?? { tools: [] }] : [one.name, one],
    ),
  )
  return reach.filter((one) => asked.has(one.name) && isShownAs(one, asked.get(one.name)!))
}

/** Many files reach the same agents, so each two are compared once. */
function isShownAs(now: Reached, shown: AskedTools): boolean {
  const known = compared.get(now) ?? new WeakMap<AskedTools, boolean>()
  const answer = known.get(shown) ?? isWithin(now, shown)
  compared.set(now, known.set(shown, answer))
  return answer
}

const compared = new WeakMap<Reached, WeakMap<AskedTools, boolean>>()

export function shownReach(
  last: ShownReach | undefined,
  items: readonly (readonly [file: string, reach: readonly Reached[]])[],
): ShownReach {
  // What was said of other files stays as it was.
  const before = last?.version === version ? last : undefined
  const agents = new Map(Object.entries(before?.agents ?? {}))
  const same = new Set<Reached>()
  const entryOf = (one: Reached): string | Reached => {
    const { name, ...asked } = one
    const known = agents.get(name)
    if (!known) agents.set(name, asked)
    if (!known || same.has(one) || JSON.stringify(known) === JSON.stringify(asked)) same.add(one)
    return same.has(one) ? name : one
  }
  const files = items.map(([file, reach]) => [file, reach.map(entryOf)] as const)
  return {
    version,
    agents: Object.fromEntries(agents),
    files: { ...before?.files, ...Object.fromEntries(files) },
  }
}

export const reachedText = (reached: Reached): string => `${reached.name} (${askedText(reached)})`

/** The tools that a reached agent asks for, and what narrows them. */
export function askedText({ tools, denied, asks, mode, fork, executor }: AskedTools): string {
  const narrowed = [
    ...(mode ? [`${mode} mode`] : []),
    ...(fork ? ["no more than its caller"] : []),
    ...(denied ? [`not ${denied.join(", ")}`] : []),
    ...(asks ? [`asks about ${asks.join(", ")}`] : []),
  ]
  const had = [...tools, ...(executor === undefined ? [] : [`run by the executor ${executor}`])]
  return [had.join(", ") || "no tools", ...narrowed].join("; ")
}
