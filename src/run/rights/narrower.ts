import { matchesStars } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { covers, findCommandPrefix, pathTools, readRulePattern } from "./pattern.ts"

/**
 * True if everything that a list allows of a tool is also allowed by another. False if that cannot be
 * decided.
 */
export function isNarrower(list: RuleSet, other: RuleSet): boolean {
  if (list.otherwise !== other.otherwise) return false
  if (JSON.stringify(list.rules) === JSON.stringify(other.rules)) return true
  if (list.otherwise !== "deny") return false
  if (other.rules.some(({ decision }) => decision !== "allow")) return false
  return list.rules.every(
    ({ tool, decision }) => decision === "deny" || other.rules.some((rule) => isPart(tool, rule.tool)),
  )
}

function isPart(text: string, other: string): boolean {
  if (text === other) return true
  const [pattern, wider] = [readRulePattern(text), readRulePattern(other)]
  const { tool, argument } = pattern
  if (wider.argument === undefined) return !tool.includes("*") && matchesStars(wider.tool, tool)
  if (wider.tool !== tool || argument === undefined) return false
  if (tool === "Bash") return isPartOfCommand(argument, wider.argument)
  if (argument.includes("*")) return false
  if (tool === "Agent") return covers(wider, { type: "agent", name: argument })
  const type = (["read", "write"] as const).find((use) => pathTools[use].includes(tool))
  return type !== undefined && covers(wider, { type, path: argument })
}

/** Compares plain words only: all other shell syntax is judged as a whole. */
function isPartOfCommand(argument: string, wider: string): boolean {
  const prefix = findCommandPrefix(argument)
  const words = prefix ?? argument
  if (!/^[\w ./:=@,+-]+$/.test(words) || (prefix !== undefined && !wider.endsWith("*"))) return false
  return covers({ tool: "Bash", argument: wider }, { type: "command", text: words })
}
