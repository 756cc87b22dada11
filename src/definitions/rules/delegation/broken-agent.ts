import type { Surroundings } from "../rule.ts"
import { shown } from "../shown.ts"

/** What to say of an agent that is named and broken. Undefined: there is no broken one of that name. */
export function brokenAgent(name: string, { brokenAgents }: Surroundings): string | undefined {
  if (!brokenAgents?.has(name)) return undefined
  const file = brokenAgents.get(name)
  return `The agent \`${shown(name)}\` is broken${file === undefined ? "" : ` (${file})`}`
}
