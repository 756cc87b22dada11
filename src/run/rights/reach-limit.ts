import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Environment } from "../ports/environment.ts"
import type { ReachLimit } from "../ports/granted.ts"

/** A person has seen whom an agent reaches: nobody who joined since works for it, or for those below it. */
export function reachSet(
  agent: Agent,
  reach: ReachLimit | undefined,
  above: readonly RuleSet[] = [],
): readonly RuleSet[] {
  const limit = reach?.(agent)
  if (!limit) return []
  // A star or a comma would stand for others, too.
  const names = limit.filter((name) => !/[*,]/.test(name))
  const isTighter = (set: RuleSet) =>
    isReachSet(set) && set.rules.every(({ tool }) => namesOf(tool).every((name) => names.includes(name)))
  // Those above say the same of everybody below them: once is enough.
  if (above.some(isTighter)) return []
  return [
    {
      of: `${trusted} in agent "${agent.name}" (\`cadre trust\` shows whom it reaches now)`,
      agent: agent.name,
      tools: ["Agent"],
      rules: names.length > 0 ? [{ tool: `Agent(${names.join(", ")})`, decision: "allow" }] : [],
      otherwise: "deny",
    },
  ]
}

const trusted = "the trust"

/** Whether it says only whom of the agents here somebody may call. */
export const isReachSet = ({ of }: RuleSet): boolean => of.startsWith(trusted)

const namesOf = (rule: string): readonly string[] => splitToolName(rule).argument?.split(", ") ?? []

/**
 * Who may work for a run now. What was trusted when it started is an upper bound: those who ask for more since are not
 * called from it either, nor from anybody above it.
 */
export function reachedNow(
  { reach, agents }: Pick<Environment, "reach" | "agents">,
  agent: Agent,
  rights: readonly RuleSet[],
): (name: string) => boolean {
  if (!reach) return () => true
  const above = rights.filter(isReachSet).map((set) => agents.find(set.agent!))
  const limits = [agent, ...above].map((one) => (one ? reach(one) : []))
  return (name) => limits.every((limit) => limit?.includes(name) ?? true)
}
