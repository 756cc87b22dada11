import type { RuleFacts } from "../rule.ts"
import { shorten } from "../shorten.ts"

/** A message that the named agent is broken. Undefined: no broken agent has that name. */
export function describeBrokenAgent(name: string, { brokenAgents }: RuleFacts): string | undefined {
  if (!brokenAgents?.has(name)) return undefined
  const file = brokenAgents.get(name)
  return `The agent \`${shorten(name)}\` is broken${file === undefined ? "" : ` (${file})`}`
}
