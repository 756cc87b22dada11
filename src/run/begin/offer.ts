import type { Tool } from "../../agent/tool.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { describeTool, type ToolDescription } from "../rights/callable.ts"
import { describeSearch, findDeferred, isSearch } from "./defer.ts"

/** The tool descriptions that are made for this run alone, and the tools that its model is not offered. */
export interface ToolOffer {
  readonly descriptions: ReadonlyMap<string, ToolDescription>
  readonly withheld: readonly string[]
  /** The tools that the model is offered once it has searched for them. */
  readonly deferred: readonly string[]
}

/** A model is offered every tool of its run, except tools about other runs where there are no such runs. */
export function settleOffer(
  { tools, agents }: StartEnvironment,
  { agent, parent }: Pick<Beginning, "agent" | "parent">,
  {
    granted,
    rights,
    depth,
    limits,
    window,
  }: Pick<RunStart, "rights" | "depth" | "limits"> & {
    readonly granted: readonly string[]
    /** The tokens that the model takes. */
    readonly window?: number | undefined
  },
): ToolOffer {
  if (!granted.some((name) => tools.get(name)!.kind !== "function")) return noOffer
  const descriptions = new Map<string, ToolDescription>()
  const deferred = findDeferred(agent, granted, tools, { ...limits, ...(window !== undefined && { window }) })
  for (const name of deferred.length > 0 ? granted.filter((one) => isSearch(tools.get(one))) : [])
    descriptions.set(name, describeSearch(tools.get(name)!, deferred))
  for (const name of depth >= limits.maxDepth ? [] : granted) {
    const tool = tools.get(name)!
    const description = tool.kind === "delegation" ? describeTool(tool, agent, rights, agents) : undefined
    if (description) descriptions.set(name, description)
  }
  const isWithheld = (tool: Tool | undefined): boolean => {
    if (tool?.kind === "delegation") return !descriptions.has(tool.name)
    const isAnswered = parent?.start?.kind === "agent"
    if (tool?.kind === "control" && tool.needsParent) return !isAnswered
    if (tool?.kind === "control" && tool.reachesParent && isAnswered) return false
    return tool?.comesWith !== undefined && isWithheld(tools.get(tool.comesWith))
  }
  return { descriptions, withheld: granted.filter((name) => isWithheld(tools.get(name))), deferred }
}

const noOffer: ToolOffer = { descriptions: new Map(), withheld: [], deferred: [] }
