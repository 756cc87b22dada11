import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, runTools } from "../../../agent/catalogue/tools.ts"
import { matchesStars } from "../../../ground/patterns/stars.ts"
import type { RuleFacts } from "../rule.ts"

/** An entry of a list of tools, with a tool that it asks for. */
export interface RequestedTool {
  readonly entry: string
  readonly index: number
  readonly tool: string
}

/** The tools that a list asks for, under our names. A pattern asks for all our tools that it matches. */
export const listRequestedTools = (allow: readonly string[]): readonly RequestedTool[] =>
  allow.flatMap((entry, index) => toolsMeant(entry).map((tool) => ({ entry, index, tool })))

/** True if the tool exists here. Losing a tool that only other hosts have is not a loss. */
export const existsHere =
  ({ tools }: Pick<RuleFacts, "tools">) =>
  ({ tool }: RequestedTool): boolean =>
    (canonicalTools as readonly string[]).includes(tool) || tools.has(tool)

function toolsMeant(entry: string): readonly string[] {
  const { name } = splitToolName(entry)
  const match = lookUpTool(entry)
  if (match.type === "pattern") return plainTools.filter((tool) => matchesStars(name, tool))
  return [match.type === "equivalent" || match.type === "tool" ? match.name : name]
}

/** Our tools without those that come only together with `Agent`. */
const plainTools = canonicalTools.filter(
  (tool) => tool === "Agent" || !(runTools as readonly string[]).includes(tool),
)

/** The tools of a definition without a list, in formats where that means every tool. */
export const allPlainTools: readonly { readonly tool: string }[] = plainTools.map((tool) => ({ tool }))
