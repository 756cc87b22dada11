import { type Confinement, strictest } from "../../agent/confinement.ts"
import type { Tool } from "../../agent/tool.ts"
import type { RunResume } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"

type Tools = ReadonlyMap<string, Tool>

/** What a run begins with: as its parent; of a root, as the tools have it, and the root whose task it has. */
export const confinementOf = (
  tools: Tools,
  { parent, follows }: Pick<Beginning, "parent" | "follows">,
): Confinement | undefined => (parent ? parent.confinement : strictest(ofTools(tools), follows?.confinement))

/** What the tools of today are stricter in than a run was, for it to keep. */
export function stricterSince(
  tools: Tools,
  { confinement: before }: RunState,
): Pick<RunResume, "confinement"> | undefined {
  const confinement = strictest(before, ofTools(tools))
  const isStricter = confinement?.sandbox !== before?.sandbox || confinement?.network !== before?.network
  return isStricter && confinement ? { confinement } : undefined
}

function ofTools(tools: Tools): Confinement | undefined {
  if (!known.has(tools))
    known.set(
      tools,
      strictest(...[...tools.values()].map((tool) => ("confinement" in tool ? tool.confinement : undefined))),
    )
  return known.get(tools)
}

/** A thousand children are begun with the same tools. */
const known = new WeakMap<Tools, Confinement | undefined>()
