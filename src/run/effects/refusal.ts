import { getFormatTraits } from "../../agent/format-traits.ts"
import { withoutOwnSets } from "../rights/binding-sets.ts"
import { findDenial } from "../rights/find-denial.ts"
import { createGrantReader, hasCallersTools } from "../rights/tool-list.ts"
import { describeLackReason } from "../words/lack-text.ts"
import type { Drive } from "./drive-view.ts"

/**
 * The reason why a run may not call a registered tool, for its model. Undefined if no tool has this name.
 */
export function explainRefusal(drive: Drive, tool: string): string | undefined {
  if (!drive.environment.tools.has(tool)) return undefined
  const { name, origin } = drive.definition.agent
  return (
    getFormatTraits(origin.format).refusal?.(tool, name) ??
    `Not permitted: ${whyOf(drive, tool)}. Go on without it.`
  )
}

function whyOf({ environment, state, definition: { agent } }: Drive, tool: string): string {
  const { lacks = [], caller, delegation } = state.start!
  const grant = createGrantReader(agent, environment.tools)(tool)
  if (grant.type === "denied") return `the definition of agent "${agent.name}" denies ${grant.by}`
  if (grant.type === "unlisted") return `${tool} is not among the tools of agent "${agent.name}"`
  const lack = lacks.find((one) => one.tool === tool)
  if (lack) return `${tool} is not available: ${describeLackReason(lack)}`
  if (environment.tools.get(tool)?.unoffered)
    return `${tool} is not available: ${describeLackReason({ tool, by: { type: "unoffered" } })}`
  const taker = findDenial(withoutOwnSets(state.rights), tool, environment.tools)
  if (taker) return `the tool ${tool} is denied by the rules of ${taker.of}`
  return caller && (delegation !== "own" || hasCallersTools(agent))
    ? `${tool} is not available: the run that called agent "${agent.name}" does not have it`
    : `${tool} is not available: the call that started this tree leaves it out`
}
