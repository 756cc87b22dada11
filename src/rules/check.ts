import type { Problem } from "../formats/problem.ts"
import { rules } from "./index.ts"
import { atLevels, type Levels, levelOf } from "./levels.ts"
import type { CheckedAgent, DiagnosticRule, Subject, Surroundings } from "./rule.ts"

/** Looks at agents with every rule. The problems of each agent, in the order in which the agents were given. */
export function checkAgents(
  agents: readonly CheckedAgent[],
  surroundings: Surroundings,
  levels: Levels = {},
): readonly (readonly Problem[])[] {
  const found = agents.map((): Problem[] => [])
  for (const rule of rules) {
    if ((!rule.check && !rule.checkAll) || levelOf(rule.code, levels) === "off") continue
    const subjects = agents.map((agent, index) => subjectOf(rule, agent, found[index]!))
    for (const subject of subjects) rule.check?.(subject, surroundings)
    rule.checkAll?.(subjects, surroundings)
  }
  return found.map((problems) => atLevels(problems, levels))
}

const subjectOf = (
  { code, severity }: DiagnosticRule,
  { agent, format, source }: CheckedAgent,
  found: Problem[],
): Subject => ({
  agent,
  format,
  source,
  report: (finding) => found.push({ code, severity, ...finding }),
})
