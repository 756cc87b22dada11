import { type CommandConfinement, findStrictest } from "../../agent/confinement.ts"
import type { Tool } from "../../agent/tool.ts"
import type { RunResume } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"

type Tools = ReadonlyMap<string, Tool>

/**
 * The confinement of a new run. A child has its parent's. A root has the strictest of its tools' and of the run whose
 * task it takes over.
 */
export const chooseConfinement = (
  tools: Tools,
  { parent, follows }: Pick<Beginning, "parent" | "follows">,
): CommandConfinement | undefined =>
  parent ? parent.confinement : findStrictest(ofTools(tools), follows?.confinement)

/** The new confinement of a resumed run, where today's tools are stricter than the run was. */
export function findStricterConfinement(
  tools: Tools,
  { confinement: previous }: RunState,
): Pick<RunResume, "confinement"> | undefined {
  const confinement = findStrictest(previous, ofTools(tools))
  const isStricter = confinement?.sandbox !== previous?.sandbox || confinement?.network !== previous?.network
  return isStricter && confinement ? { confinement } : undefined
}

function ofTools(tools: Tools): CommandConfinement | undefined {
  if (!confinements.has(tools))
    confinements.set(
      tools,
      findStrictest(
        ...[...tools.values()].map((tool) => ("confinement" in tool ? tool.confinement : undefined)),
      ),
    )
  return confinements.get(tools)
}

/** A cache, because a thousand children may start with the same tools. */
const confinements = new WeakMap<Tools, CommandConfinement | undefined>()
