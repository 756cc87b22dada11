import type { Tool } from "../../agent/tool.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import { type Description, describeFor } from "../rights/callable.ts"

/** What a run is told of its tools, where that is not the same for all, and which of them it is not offered. */
export interface Offer {
  readonly descriptions: ReadonlyMap<string, Description>
  readonly withheld: readonly string[]
}

/** Most tools are offered to whoever has them; those about other runs, to whom there are such runs for. */
export function offerOf(
  { tools, agents }: Surroundings,
  { agent, parent }: Pick<Beginning, "agent" | "parent">,
  {
    granted,
    rights,
    depth,
    limits,
  }: Pick<RunStart, "rights" | "depth" | "limits"> & {
    readonly granted: readonly string[]
  },
): Offer {
  if (!granted.some((name) => tools.get(name)!.kind !== "function")) return noOffer
  const descriptions = new Map<string, Description>()
  for (const name of depth >= limits.maxDepth ? [] : granted) {
    const tool = tools.get(name)!
    const description = tool.kind === "delegation" ? describeFor(tool, agent, rights, agents) : undefined
    if (description) descriptions.set(name, description)
  }
  const isWithheld = (tool: Tool | undefined): boolean => {
    if (tool?.kind === "delegation") return !descriptions.has(tool.name)
    const isAnswered = parent?.start?.kind === "agent"
    if (tool?.kind === "control" && tool.needsParent) return !isAnswered
    if (tool?.kind === "control" && tool.reachesParent && isAnswered) return false
    return tool?.comesWith !== undefined && isWithheld(tools.get(tool.comesWith))
  }
  return { descriptions, withheld: granted.filter((name) => isWithheld(tools.get(name))) }
}

const noOffer: Offer = { descriptions: new Map(), withheld: [] }
