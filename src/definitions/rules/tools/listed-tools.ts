import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, runTools } from "../../../agent/catalogue/tools.ts"
import { matches } from "../../../ground/patterns/stars.ts"
import type { Surroundings } from "../rule.ts"

/** An entry of a list of tools, with a tool that it asks for. */
export interface ListedTool {
  readonly entry: string
  readonly index: number
  readonly tool: string
}

/** The tools that a list asks for, under our own names; of a pattern those of ours that it fits. */
export const listedTools = (allow: readonly string[]): readonly ListedTool[] =>
  allow.flatMap((entry, index) => toolsMeant(entry).map((tool) => ({ entry, index, tool })))

/** Whether there is such a tool: what other hosts alone have is nobody's loss. */
export const isHere =
  ({ tools }: Pick<Surroundings, "tools">) =>
  ({ tool }: ListedTool): boolean =>
    (canonicalTools as readonly string[]).includes(tool) || tools.has(tool)

function toolsMeant(entry: string): readonly string[] {
  const { name } = splitToolName(entry)
  const known = lookUpTool(entry)
  if (known.type === "pattern") return plainTools.filter((tool) => matches(name, tool))
  return [known.type === "equivalent" || known.type === "tool" ? known.name : name]
}

/** Without those that only come with `Agent`. */
const plainTools = canonicalTools.filter(
  (tool) => tool === "Agent" || !(runTools as readonly string[]).includes(tool),
)

/** What a definition without a list means in formats where that is everything. */
export const everyTool: readonly { readonly tool: string }[] = plainTools.map((tool) => ({ tool }))
