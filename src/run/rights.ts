import type { Decision, Rule } from "../agent.ts"
import type { RuleSet } from "./event.ts"

const strictness = { allow: 0, ask: 1, deny: 2 } as const

/** The strictest decision of the run's own rules and of every ancestor's. */
export function judge(rights: readonly RuleSet[], tool: string): { decision: Decision; of: string } {
  let result: { decision: Decision; of: string } = { decision: "allow", of: "default" }
  for (const set of rights) {
    const decision = within(set, tool)
    if (strictness[decision] > strictness[result.decision]) result = { decision, of: set.of }
  }
  return result
}

/** Within one set deny beats ask beats allow, whatever the order; no match means the set's own default. */
function within(set: RuleSet, tool: string): Decision {
  let found: Decision | undefined
  for (const { tool: pattern, decision } of set.rules)
    if (matches(pattern, tool) && (found === undefined || strictness[decision] > strictness[found]))
      found = decision
  return found ?? set.otherwise
}

/** `*` stands for any characters; everything else is itself. Linear in the length of both. */
export function matches(pattern: Rule["tool"], name: string): boolean {
  const parts = pattern.split("*")
  if (parts.length === 1) return pattern === name
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}
