import { describeThrown } from "../../ground/errors.ts"
import type { Problem } from "../formats/problem.ts"
import { checkingRules } from "./checking.ts"
import { applyLevels, getConfiguredLevel, type Levels } from "./levels.ts"
import type { CheckedAgent, DiagnosticRule, RuleFacts, Subject } from "./rule.ts"
import { shorten } from "./shorten.ts"

/** The most findings of one rule for one agent that are listed. Further ones are only counted. */
const mostFindings = 100

/**
 * Checks agents with every rule. Returns the problems of each agent, in the order of the agents. A rule that fails on
 * one agent is reported there, and still checks all others.
 */
export function checkAgents(
  agents: readonly CheckedAgent[],
  surroundings: RuleFacts,
  levels: Levels = {},
  all: readonly DiagnosticRule[] = checkingRules,
): readonly (readonly Problem[])[] {
  return checkWithRules(all, agents, surroundings, levels).map((findings) =>
    applyLevels(
      findings.map(({ problem }) => problem),
      levels,
    ),
  )
}

/** A problem with the rule that found it. */
export interface RuleProblem {
  readonly rule: DiagnosticRule
  readonly problem: Problem
}

/** Checks agents with some of the rules. Their severities stay as the rules set them; rules that are off are skipped. */
export function checkWithRules(
  rules: readonly DiagnosticRule[],
  agents: readonly CheckedAgent[],
  surroundings: RuleFacts,
  levels: Levels = {},
): readonly (readonly RuleProblem[])[] {
  const findings = agents.map((): RuleProblem[] => [])
  // There are many agents and rules, so each agent has one `Look`, which every rule uses again.
  const looks = agents.map(lookOf)
  for (const rule of rules) {
    if (getConfiguredLevel(rule.code, levels) === "off") continue
    for (let index = 0; index < looks.length; index++) {
      const look = looks[index]!
      if (rule.about !== undefined && look.subject.agent[rule.about] === undefined) continue
      begin(look, rule)
      if (rule.check) look.failure = failing(rule.check, look, surroundings)
      if (!rule.checkAll) addProblems(findings[index]!, rule, look)
    }
    if (!rule.checkAll) continue
    checkTogether(rule, looks, surroundings)
    for (let index = 0; index < looks.length; index++) addProblems(findings[index]!, rule, looks[index]!)
  }
  return findings
}

/** The state of one rule that checks one agent. */
interface Look {
  readonly subject: Subject
  rule: DiagnosticRule | undefined
  problems: Problem[]
  /** The number of problems beyond `mostFindings`, which are not listed. */
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

/** If the check of all agents fails, agents on which it also fails alone are left out, and the rest is checked again. */
function checkTogether(rule: DiagnosticRule, looks: readonly Look[], surroundings: RuleFacts): void {
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

/** Does the same as `failureOf`, but needs no closure for each rule and agent. */
function failing(
  check: NonNullable<DiagnosticRule["check"]>,
  { subject }: Look,
  surroundings: RuleFacts,
): Failure | undefined {
  try {
    check(subject, surroundings)
    return undefined
  } catch (thrown) {
    return { message: describeThrown(thrown) }
  }
}

function failureOf(work: () => void): Failure | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    return { message: describeThrown(thrown) }
  }
}

function addProblems(findings: RuleProblem[], rule: DiagnosticRule, { problems, more, failure }: Look): void {
  const add = (problem: Problem) => findings.push({ rule, problem })
  for (const problem of problems) add(problem)
  if (more > 0)
    add({
      code: rule.code,
      severity: problems.at(-1)!.severity,
      message: `There ${more === 1 ? "is 1 more finding" : `are ${more} more findings`} of this kind, which are not listed. Fix those above, then check again.`,
      at: problems.at(-1)!.at,
    })
  if (failure)
    add({
      code: "rule-failed",
      severity: "warning",
      message: `The rule \`${rule.code}\` failed on this agent: ${shorten(failure.message)}. It may have missed a problem here.`,
      at: { type: "start" },
    })
}
