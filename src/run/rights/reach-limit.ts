import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Environment } from "../ports/environment.ts"
import type { ReachLimit } from "../ports/granted-tools.ts"

/**
 * The rule set for the agents that a person approved for this agent. Agents that joined later may not work
 * for it or for runs below it.
 */
export function buildReachSet(
  agent: Agent,
  reach: ReachLimit | undefined,
  above: readonly RuleSet[] = [],
): readonly RuleSet[] {
  const limit = reach?.(agent)
  if (!limit) return []
  // A star or a comma would match other agents, too.
  const names = limit.filter((name) => !/[*,]/.test(name))
  const isTighter = (set: RuleSet) =>
    isReachSet(set) && set.rules.every(({ tool }) => namesOf(tool).every((name) => names.includes(name)))
  // A set above binds all runs below it, so one set is enough.
  if (above.some(isTighter)) return []
  return [
    {
      of: `${trustOwner} in agent "${agent.name}" (\`cadre trust\` shows which agents it reaches now)`,
      agent: agent.name,
      tools: ["Agent"],
      rules: names.length > 0 ? [{ tool: `Agent(${names.join(", ")})`, decision: "allow" }] : [],
      otherwise: "deny",
    },
  ]
}

const trustOwner = "the trust"

/** True for a set that only limits which agents a run may call. */
export const isReachSet = ({ of }: RuleSet): boolean => of.startsWith(trustOwner)

const namesOf = (rule: string): readonly string[] => splitToolName(rule).argument?.split(", ") ?? []

/**
 * The agents that may work for a run now. The approval at its start is an upper bound. An agent must still be
 * approved now, for this agent and for every agent above it.
 */
export function createReachTest(
  { reach, agents }: Pick<Environment, "reach" | "agents">,
  agent: Agent,
  rights: readonly RuleSet[],
): (name: string) => boolean {
  if (!reach) return () => true
  const above = rights.filter(isReachSet).map((set) => agents.find(set.agent!))
  const limits = [agent, ...above].map((one) => (one ? reach(one) : []))
  return (name) => limits.every((limit) => limit?.includes(name) ?? true)
}
