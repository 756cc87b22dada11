import { messageOf } from "../../ground/errors.ts"
import type { Problem } from "../formats/problem.ts"
import { checkingRules } from "./checking.ts"
import { atLevels, type Levels, levelOf } from "./levels.ts"
import type { CheckedAgent, DiagnosticRule, Subject, Surroundings } from "./rule.ts"
import { shown } from "./shown.ts"

/** Of one rule for one agent. Whoever has more of them mends these first. */
const mostFindings = 100

/**
 * Looks at agents with every rule. The problems of each agent, in the order in which the agents were given. A rule
 * that fails for one agent says so there, and looks at all others.
 */
export function checkAgents(
  agents: readonly CheckedAgent[],
  surroundings: Surroundings,
  levels: Levels = {},
  all: readonly DiagnosticRule[] = checkingRules,
): readonly (readonly Problem[])[] {
  return lookWith(all, agents, surroundings, levels).map((found) =>
    atLevels(
      found.map(({ problem }) => problem),
      levels,
    ),
  )
}

/** A problem with the rule that found it. */
export interface FoundByRule {
  readonly rule: DiagnosticRule
  readonly problem: Problem
}

/** The same with some of the rules, as they say it themselves. */
export function lookWith(
  rules: readonly DiagnosticRule[],
  agents: readonly CheckedAgent[],
  surroundings: Surroundings,
  levels: Levels = {},
): readonly (readonly FoundByRule[])[] {
  const found = agents.map((): FoundByRule[] => [])
  // One look an agent, for one rule after the other: there are many of both.
  const looks = agents.map(lookOf)
  for (const rule of rules) {
    if (levelOf(rule.code, levels) === "off") continue
    for (let index = 0; index < looks.length; index++) {
      const look = looks[index]!
      if (rule.about !== undefined && look.subject.agent[rule.about] === undefined) continue
      begin(look, rule)
      if (rule.check) look.failure = failing(rule.check, look, surroundings)
      if (!rule.checkAll) addProblems(found[index]!, rule, look)
    }
    if (!rule.checkAll) continue
    checkTogether(rule, looks, surroundings)
    for (let index = 0; index < looks.length; index++) addProblems(found[index]!, rule, looks[index]!)
  }
  return found
}

/** One rule looking at one agent. */
interface Look {
  readonly subject: Subject
  rule: DiagnosticRule | undefined
  problems: Problem[]
  /** How many there are beyond those that are kept. */
  more: number
  failure: Failure | undefined
}

interface Failure {
  readonly message: string
}

function lookOf({ agent, format, source }: CheckedAgent): Look {
  const look: Look = {
    subject: {
      agent,
      format,
      source,
      report: (finding) => {
        const { code, severity } = look.rule!
        if (look.problems.length >= mostFindings) look.more++
        else look.problems.push({ code, severity, ...(typeof finding === "function" ? finding() : finding) })
      },
    },
    rule: undefined,
    problems: [],
    more: 0,
    failure: undefined,
  }
  return look
}

function begin(look: Look, rule: DiagnosticRule): void {
  look.rule = rule
  if (look.problems.length > 0) look.problems = []
  look.more = 0
  look.failure = undefined
}

/** Where looking at all of them fails, those with which it fails alone are left out. */
function checkTogether(rule: DiagnosticRule, looks: readonly Look[], surroundings: Surroundings): void {
  const attempt = (some: readonly Look[]) =>
    failureOf(() =>
      rule.checkAll!(
        some.map(({ subject }) => subject),
        surroundings,
      ),
    )
  const forget = () => {
    for (const look of looks) Object.assign(look, { problems: [], more: 0 })
  }
  if (!attempt(looks)) return
  for (const look of looks) {
    const failure = attempt([look])
    if (failure) look.failure = failure
  }
  forget()
  const sound = looks.filter(({ failure }) => !failure)
  const failure = attempt(sound)
  if (!failure) return
  forget()
  for (const look of sound) look.failure = failure
}

/** Without a closure for each rule and agent. */
function failing(
  check: NonNullable<DiagnosticRule["check"]>,
  { subject }: Look,
  surroundings: Surroundings,
): Failure | undefined {
  try {
    check(subject, surroundings)
    return undefined
  } catch (thrown) {
    return { message: messageOf(thrown) }
  }
}

function failureOf(work: () => void): Failure | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    return { message: messageOf(thrown) }
  }
}

function addProblems(found: FoundByRule[], rule: DiagnosticRule, { problems, more, failure }: Look): void {
  const add = (problem: Problem) => found.push({ rule, problem })
  for (const problem of problems) add(problem)
  if (more > 0)
    add({
      code: rule.code,
      severity: problems.at(-1)!.severity,
      message: `There ${more === 1 ? "is 1 more finding" : `are ${more} more findings`} of this kind, which are not listed. Mend those above, then check again.`,
      at: problems.at(-1)!.at,
    })
  if (failure)
    add({
      code: "rule-failed",
      severity: "warning",
      message: `The rule \`${rule.code}\` could not look at this agent: ${shown(failure.message)}. What it looks for may be there unnoticed.`,
      at: { type: "start" },
    })
}
