import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { type CanonicalTool, hosts } from "../../agent/catalogue/tools.ts"

/** Lists cadre's tools that a name means. A name that cadre does not know means itself. */
export function listCanonicalTools(text: string): readonly string[] {
  const { name } = splitToolName(text)
  const lookup = lookUpTool(name)
  if (lookup.type === "tool") return [lookup.name]
  if (lookup.type === "equivalent") return [lookup.name, ...(lookup.also ?? [])]
  return Object.hasOwn(similarTools, name) ? [name, similarTools[name]!] : [name]
}

/** Lists every name that programs use for the tool that a name means. */
export function listProgramNames(text: string): readonly string[] {
  const { name } = splitToolName(text)
  const meanings = listCanonicalTools(name)
  const hostNames = hosts.flatMap(({ equivalents }) =>
    meanings.flatMap((tool) =>
      (equivalents[tool as CanonicalTool] ?? "").split(/\s+/).filter((word) => word !== ""),
    ),
  )
  const similarNames = Object.keys(similarTools).filter((other) => meanings.includes(similarTools[other]!))
  return [...new Set([name, ...meanings, ...hostNames, ...similarNames])]
}

/**
 * Tools of programs that have no equivalent here, and the tool that does the same. A denial of one denies the other.
 */
const similarTools: Readonly<Record<string, string>> = {
  Monitor: "Bash",
  PowerShell: "Bash",
  NotebookEdit: "Edit",
}
