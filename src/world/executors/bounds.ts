import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import { runTools } from "../../agent/catalogue/tools.ts"
import { executorToolName } from "../../agent/executor.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../../run/log/event-rights.ts"
import type { Binding } from "../../run/ports/planner.ts"
import { readRulePattern } from "../../run/rights/pattern.ts"
import { isReachSet } from "../../run/rights/reach-limit.ts"
import { judge } from "../../run/rights/rights.ts"
import { meaningOf } from "./tool-names.ts"

/** What a run that a program does may use, and who says so. */
export interface Bounds {
  /** Nothing but these; undefined: whatever the program has. */
  readonly tools?: readonly string[]
  /** What of its own list it does not get. */
  readonly taken: readonly Denial[]
  /** Tools, and in parentheses uses of tools, that it may not have. */
  readonly denials: readonly Denial[]
  /** Of some tools these uses alone. */
  readonly only: readonly OnlyUses[]
}

export interface Denial {
  /** As rules write it. */
  readonly what: string
  /** Whose it is, such as `agent "lead"`. */
  readonly of: string
  /** Nobody can be asked from inside of a program: what is asked about is denied. `lack`: it has nothing of it to give. */
  readonly decision: "deny" | "ask" | "lack"
  /** The agent above whose rule it is; absent for the configuration, and for the agent's own list. */
  readonly agent?: string
  /** The rule that says it; absent where everything is denied that no rule allows. */
  readonly rule?: string
  /** The agent denies it itself. */
  readonly own?: true
}

export interface OnlyUses {
  readonly tool: string
  readonly uses: readonly string[]
  readonly of: string
}

/**
 * What binds a run that a program does: its own lists, the rules of all above it, and what they left it. Undefined where a
 * rule denies the program itself: then it is not run.
 */
export function boundsOf(agent: Agent, { rights, ceiling }: Binding): Bounds | undefined {
  const access = { type: "executor", name: agent.executor! } as const
  if (judge(rights, { tool: executorToolName, accesses: [access] }).decision === "deny") return undefined
  // A program calls none of the agents here: what it hands work to is its own.
  const sets = rights.filter((set) => !isReachSet(set))
  const denials = [...ownDenials(agent), ...sets.flatMap(denialsOf)]
  const closed = sets.filter(isClosed)
  const deniedBy = (name: string): Denial | undefined =>
    denials.find(({ what }) => isWhole(what) && isNamed(what, name)) ??
    closed.filter((set) => !allowedIn(set).some((tool) => isNamed(tool, name))).map(denying(name))[0] ??
    (ceiling && !meaningOf(name).every((tool) => ceiling.includes(tool))
      ? { what: name, of: "whoever calls it", decision: "lack" }
      : undefined)
  const own = agent.tools.mode === "list" ? namesIn(agent.tools.allow) : undefined
  const open = own ?? ceiling ?? (closed.length > 0 ? namesIn(closed.flatMap(allowedIn)) : undefined)
  return {
    ...(open && { tools: open.filter((name) => !deniedBy(name)) }),
    taken: (own ?? []).flatMap((name) => {
      const by = deniedBy(name)
      return by ? [{ ...by, what: name }] : []
    }),
    denials,
    only: sets.flatMap(onlyIn),
  }
}

/** Whether it speaks of all uses of a tool. */
export const isWhole = (what: string): boolean => readRulePattern(what).argument === undefined

const namesIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((text) => splitToolName(text).name)),
]

const ownDenials = ({ name, tools }: Agent): readonly Denial[] =>
  tools.deny
    .filter((what) => isWhole(what) && !isNoPrograms(what))
    .map((what) => ({ what, of: `agent "${name}"`, decision: "deny", own: true }))

/** What a set asks about where none of its rules speaks is answered with the yes to the program itself. */
const denialsOf = ({ rules, of, agent }: RuleSet): readonly Denial[] =>
  rules.flatMap(({ tool, decision }) =>
    decision === "allow" || isNoPrograms(tool)
      ? []
      : [{ what: tool, of, decision, rule: tool, ...(agent !== undefined && { agent }) }],
  )

/** A pattern that is about the program, too, says so of the program: it is asked about, or not run. */
const isOfExecutor = (text: string): boolean => matches(readRulePattern(text).tool, executorToolName)

/** No program deals with runs here. It may hand work on as it likes, so that `Agent` is one of its tools. */
const isNoPrograms = (text: string): boolean =>
  isOfExecutor(text) || runTools.some((tool) => tool !== "Agent" && tool === readRulePattern(text).tool)

/** Everything is denied that it does not allow. */
const isClosed = ({ tools, otherwise, rules }: RuleSet): boolean =>
  tools === undefined &&
  otherwise === "deny" &&
  !rules.some(({ tool, decision }) => decision === "allow" && tool === "*")

const allowedIn = ({ rules }: RuleSet): readonly string[] =>
  rules.flatMap(({ tool, decision }) => (decision === "allow" && !isOfExecutor(tool) ? [tool] : []))

const denying =
  (what: string) =>
  ({ of, agent }: RuleSet): Denial => ({
    what,
    of,
    decision: "deny",
    ...(agent !== undefined && { agent }),
  })

/** By whichever of its names a tool is meant. */
function isNamed(pattern: string, name: string): boolean {
  const { tool } = readRulePattern(pattern)
  const meant = [name, ...meaningOf(name)]
  return tool.includes("*")
    ? meant.some((one) => matches(tool, one))
    : meaningOf(tool).some((one) => meant.includes(one))
}

/** `Bash(git:*)` in a list, or as all that a closed set allows of Bash, is that use and no other. */
function onlyIn(set: RuleSet): readonly OnlyUses[] {
  const allowed = allowedIn(set)
  const tools = set.otherwise === "deny" ? (set.tools ?? (isClosed(set) ? namesIn(allowed) : [])) : []
  return tools
    .filter((tool) => tool !== executorToolName)
    .map((tool) => ({
      tool,
      uses: allowed.filter((text) => readRulePattern(text).tool === tool),
      of: set.of,
    }))
    .filter(({ uses }) => !uses.some(isWhole))
}
