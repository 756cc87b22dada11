import { isAboutPaths, pathTools, readRulePattern } from "../../run/rights/pattern.ts"
import { listCanonicalTools } from "./tool-names.ts"

/**
 * True if a program with these tools could do what `Bash(rm:*)`, `Read(.env)` or `WebFetch(a.com)` describes. An
 * unknown tool could do everything.
 */
export function couldDo(tools: readonly string[] | undefined, use: string): boolean {
  const pattern = readRulePattern(use)
  return (
    tools === undefined ||
    tools.some((name) => listCanonicalTools(name).some((tool) => canDo(tool, kindOf(pattern))))
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

function canDo(tool: string, kind: Kind): boolean {
  const uses = Object.hasOwn(knownUses, tool) ? knownUses[tool]! : undefined
  if (uses === undefined) return true
  return typeof kind === "string" ? uses.includes(kind) : kind.tool === tool
}

type Uses = readonly ("command" | "read" | "write" | "host")[]

const knownUses: Readonly<Record<string, Uses>> = {
  ...Object.fromEntries(pathTools.read.map((tool): [string, Uses] => [tool, ["read"]])),
  // A tool that changes a file also reads it.
  ...Object.fromEntries(pathTools.write.map((tool): [string, Uses] => [tool, ["read", "write"]])),
  NotebookEdit: ["read", "write"],
  WebFetch: ["host"],
  WebSearch: ["host"],
  TodoWrite: [],
  Think: [],
}
