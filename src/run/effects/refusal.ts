import { waysOf } from "../../agent/ways.ts"
import { binding } from "../rights/binding-sets.ts"
import { takerOf } from "../rights/taken.ts"
import { grantReader, hasCallersTools } from "../rights/tool-list.ts"
import { lackReason } from "../words/lack-text.ts"
import type { Drive } from "./drive-view.ts"

/** Why a run may not call a tool that others have, for its model; undefined where nobody has such a tool. */
export function refusalOf(drive: Drive, tool: string): string | undefined {
  if (!drive.environment.tools.has(tool)) return undefined
  const { name, origin } = drive.definition.agent
  return (
    waysOf(origin.format).refusal?.(tool, name) ?? `Not permitted: ${whyOf(drive, tool)}. Go on without it.`
  )
}

function whyOf({ environment, state, definition: { agent } }: Drive, tool: string): string {
  const { lacks = [], caller, delegation } = state.start!
  const said = grantReader(agent, environment.tools)(tool)
  if (said.type === "denied") return `agent "${agent.name}" denies itself ${said.by}`
  if (said.type === "unlisted") return `${tool} is not among the tools of agent "${agent.name}"`
  const lack = lacks.find((one) => one.tool === tool)
  if (lack) return `${tool} is not to be had: ${lackReason(lack)}`
  if (environment.tools.get(tool)?.unoffered)
    return `${tool} is not to be had: ${lackReason({ tool, by: { type: "unoffered" } })}`
  const taker = takerOf(binding(state.rights), tool, environment.tools)
  if (taker) return `${tool} is denied by the rules of ${taker.of}`
  return caller && (delegation !== "own" || hasCallersTools(agent))
    ? `${tool} is not to be had: the run that called agent "${agent.name}" does not have it`
    : `${tool} is not to be had: the call that started this tree leaves it out`
}
