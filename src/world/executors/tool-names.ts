import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { type CanonicalTool, hosts } from "../../agent/catalogue/tools.ts"

/** The tools of ours that a name stands for, and the name itself where it is another's. */
export function meaningOf(text: string): readonly string[] {
  const { name } = splitToolName(text)
  const known = lookUpTool(name)
  if (known.type === "tool") return [known.name]
  if (known.type === "equivalent") return [known.name, ...(known.also ?? [])]
  return Object.hasOwn(alike, name) ? [name, alike[name]!] : [name]
}

/** Every name under which a program may have what a name stands for. */
export function everyNameOf(text: string): readonly string[] {
  const { name } = splitToolName(text)
  const meant = meaningOf(name)
  const others = hosts.flatMap(({ equivalents }) =>
    meant.flatMap((tool) =>
      (equivalents[tool as CanonicalTool] ?? "").split(/\s+/).filter((word) => word !== ""),
    ),
  )
  const akin = Object.keys(alike).filter((other) => meant.includes(alike[other]!))
  return [...new Set([name, ...meant, ...others, ...akin])]
}

/** Tools of programs that are no equivalent of ours, and do what it does: who is denied the one is denied the other. */
const alike: Readonly<Record<string, string>> = { Monitor: "Bash", PowerShell: "Bash", NotebookEdit: "Edit" }
