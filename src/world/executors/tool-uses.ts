import { isAboutPaths, pathTools, readRulePattern } from "../../run/rights/pattern.ts"
import { meaningOf } from "./tool-names.ts"

/**
 * Whether a program with these tools could do what `Bash(rm:*)`, `Read(.env)` or `WebFetch(a.com)` speaks of. Of tools that
 * nobody here knows everything is expected.
 */
export function couldDo(tools: readonly string[] | undefined, use: string): boolean {
  const pattern = readRulePattern(use)
  return (
    tools === undefined || tools.some((name) => meaningOf(name).some((tool) => does(tool, kindOf(pattern))))
  )
}

type Kind = "command" | "read" | "write" | "host" | { readonly tool: string }

function kindOf(pattern: ReturnType<typeof readRulePattern>): Kind {
  const { tool } = pattern
  if (tool === "Bash") return "command"
  if (tool === "WebFetch") return "host"
  if (isAboutPaths(pattern)) return pathTools.read.includes(tool) ? "read" : "write"
  return { tool }
}

function does(tool: string, kind: Kind): boolean {
  const known = Object.hasOwn(knownUses, tool) ? knownUses[tool]! : undefined
  if (known === undefined) return true
  return typeof kind === "string" ? known.includes(kind) : kind.tool === tool
}

type Uses = readonly ("command" | "read" | "write" | "host")[]

const knownUses: Readonly<Record<string, Uses>> = {
  ...Object.fromEntries(pathTools.read.map((tool): [string, Uses] => [tool, ["read"]])),
  // Whoever changes a file sees what is in it.
  ...Object.fromEntries(pathTools.write.map((tool): [string, Uses] => [tool, ["read", "write"]])),
  NotebookEdit: ["read", "write"],
  WebFetch: ["host"],
  WebSearch: ["host"],
  TodoWrite: [],
  Think: [],
}
