import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import { executorToolName } from "../../agent/executor.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../../run/log/event-rights.ts"
import type { RunBounds } from "../../run/ports/planner.ts"
import { readRulePattern } from "../../run/rights/pattern.ts"
import { isReachSet } from "../../run/rights/reach-limit.ts"
import { judge } from "../../run/rights/rights.ts"
import { listCanonicalTools } from "./tool-names.ts"

/** The tools and uses that a run of a program may have, and where each restriction comes from. */
export interface ExecutorBounds {
  /** The only tools that are allowed. Undefined: every tool that the program has. */
  readonly tools?: readonly string[]
  /** Tools of the agent's own list that are denied. */
  readonly taken: readonly Denial[]
  /** Denied tools, and denied uses of tools in parentheses. */
  readonly denials: readonly Denial[]
  /** Tools that are limited to certain uses. */
  readonly only: readonly LimitedUses[]
}

export interface Denial {
  /** The tool or use, in the notation of rules. */
  readonly tool: string
  /** The source of the denial, such as `agent "lead"`. */
  readonly source: string
  /** A program cannot ask a person, so `ask` denies, too. `lack`: the caller does not have the tool itself. */
  readonly decision: "deny" | "ask" | "lack"
  /** The ancestor agent whose rule it is. Absent for rules of the configuration, and for the agent's own list. */
  readonly agent?: string
  /** The rule that denies. Absent if the rule set denies everything that no rule allows. */
  readonly rule?: string
  /** The agent's own list denies the tool. */
  readonly isOwn?: true
}

export interface LimitedUses {
  readonly tool: string
  readonly uses: readonly string[]
  readonly of: string
}

/**
 * Collects the restrictions of a run that a program does: its own lists, the rules of all its ancestors, and the tools
 * of its caller. Undefined: a rule denies the program itself, so it is not run.
 */
export function collectExecutorBounds(
  agent: Agent,
  { rights, ceiling }: RunBounds,
): ExecutorBounds | undefined {
  const access = { type: "executor", name: agent.executor! } as const
  if (judge(rights, { tool: executorToolName, accesses: [access] }).decision === "deny") return undefined
  // A program calls none of cadre's agents: it has its own ways to delegate. So rules about reachable agents do not
  // apply.
  const sets = rights.filter((set) => !isReachSet(set))
  const denials = [...ownDenials(agent), ...sets.flatMap(denialsOf)]
  const closedSets = sets.filter(isClosed)
  const deniedBy = (name: string): Denial | undefined =>
    denials.find(({ tool }) => coversWholeTool(tool) && matchesTool(tool, name)) ??
    closedSets
      .filter((set) => !allowedIn(set).some((tool) => matchesTool(tool, name)))
      .map(denyBy(name))[0] ??
    (ceiling && !listCanonicalTools(name).every((tool) => ceiling.includes(tool))
      ? { tool: name, source: "its caller", decision: "lack" }
      : undefined)
  const ownNames = agent.tools.mode === "list" ? namesIn(agent.tools.allow) : undefined
  const allowedNames =
    ownNames ?? ceiling ?? (closedSets.length > 0 ? namesIn(closedSets.flatMap(allowedIn)) : undefined)
  return {
    ...(allowedNames && { tools: allowedNames.filter((name) => !deniedBy(name)) }),
    taken: (ownNames ?? []).flatMap((name) => {
      const denial = deniedBy(name)
      return denial ? [{ ...denial, tool: name }] : []
    }),
    denials,
    only: sets.flatMap(limitedUsesIn),
  }
}

/** True if the pattern covers all uses of a tool. */
export const coversWholeTool = (what: string): boolean => readRulePattern(what).argument === undefined

const namesIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((text) => splitToolName(text).name)),
]

const ownDenials = ({ name, tools }: Agent): readonly Denial[] =>
  tools.deny
    .filter((what) => coversWholeTool(what) && !isIrrelevantToPrograms(what))
    .map((tool) => ({ tool, source: `agent "${name}"`, decision: "deny", isOwn: true }))

/** The rules of a set that deny or ask. A set's default of `ask` is answered by the approval of the program itself. */
const denialsOf = ({ rules, of, agent }: RuleSet): readonly Denial[] =>
  rules.flatMap(({ tool, decision }) =>
    decision === "allow" || isIrrelevantToPrograms(tool)
      ? []
      : [{ tool, source: of, decision, rule: tool, ...(agent !== undefined && { agent }) }],
  )

/**
 * True if the pattern covers the program itself. Such a rule decides whether the program runs, and restricts no tool in
 * it.
 */
const isOfExecutor = (text: string): boolean => matchesStars(readRulePattern(text).tool, executorToolName)

/**
 * True if the pattern says nothing about tools of programs. A program cannot use cadre's tools for runs, except
 * `Agent`: programs may delegate in their own way.
 */
const isIrrelevantToPrograms = (text: string): boolean =>
  isOfExecutor(text) || runTools.some((tool) => tool !== "Agent" && tool === readRulePattern(text).tool)

/** True if the set denies everything that it does not allow. */
const isClosed = ({ tools, otherwise, rules }: RuleSet): boolean =>
  tools === undefined &&
  otherwise === "deny" &&
  !rules.some(({ tool, decision }) => decision === "allow" && tool === "*")

const allowedIn = ({ rules }: RuleSet): readonly string[] =>
  rules.flatMap(({ tool, decision }) => (decision === "allow" && !isOfExecutor(tool) ? [tool] : []))

const denyBy =
  (what: string) =>
  ({ of, agent }: RuleSet): Denial => ({
    tool: what,
    source: of,
    decision: "deny",
    ...(agent !== undefined && { agent }),
  })

/** True if the pattern means the tool, under any of the tool's names. */
function matchesTool(pattern: string, name: string): boolean {
  const { tool } = readRulePattern(pattern)
  const names = [name, ...listCanonicalTools(name)]
  return tool.includes("*")
    ? names.some((one) => matchesStars(tool, one))
    : listCanonicalTools(tool).some((one) => names.includes(one))
}

/**
 * The tools of a set that are limited to certain uses. `Bash(git:*)` without a plain `Bash` allows only that use of
 * Bash.
 */
function limitedUsesIn(set: RuleSet): readonly LimitedUses[] {
  const allowed = allowedIn(set)
  const tools = set.otherwise === "deny" ? (set.tools ?? (isClosed(set) ? namesIn(allowed) : [])) : []
  return tools
    .filter((tool) => tool !== executorToolName)
    .map((tool) => ({
      tool,
      uses: allowed.filter((text) => readRulePattern(text).tool === tool),
      of: set.of,
    }))
    .filter(({ uses }) => !uses.some(coversWholeTool))
}
