import type { RuleDecision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"
import type { DecisionCause, RuleSet } from "../log/event-rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { withoutOwnSets } from "./binding-sets.ts"
import { toHandoverCall } from "./judge-spawn.ts"
import { appliesTo, findMatch, type JudgedCall, type Judgement, judge } from "./rights.ts"

/** A cause with the rule as it is stored. `decision`: what the rule or the default says. */
export type FoundCause = DecisionCause & { readonly decision: RuleDecision }

/** Finds the cause that lets a call start now, makes it wait for a person, or denies it. */
export function findCause(state: RunState, call: OpenCall): FoundCause {
  if (call.refused) return { decision: "deny", ...missingTool(state, call) }
  if (call.kind === "approval" && call.status === "asked")
    return { decision: "ask", type: "step", ...(call.key !== undefined && { step: call.key }) }
  switch (call.status) {
    case "refused":
      return call.blocked
        ? { decision: "deny", type: "hook", ...call.blocked }
        : { decision: "deny", ...person(call) }
    case "asking":
      return { decision: call.programQuestion ? "allow" : "deny", type: "time" }
    case "approved": {
      const cause = judgedBy(state, call)
      return cause.decision === "deny" ? cause : { decision: "allow", ...person(call) }
    }
    default:
      if (call.status === "asked" && isStuck(state, call)) {
        const { hook } = state.blocked!
        return { decision: "deny", type: "hook", ...(hook !== undefined && { hook }) }
      }
      return judgedBy(state, call)
  }
}

/** The rule or the mode that took the tool from the run, where the start of the run names it. */
function missingTool({ start }: RunState, { tool }: OpenCall): DecisionCause {
  const { by, at } = start?.lacks?.find((lack) => lack.tool === tool) ?? {}
  const place = at === undefined ? {} : { at }
  const agent = by && "agent" in by && by.agent !== undefined ? { agent: by.agent } : {}
  if (by?.type === "mode") return { type: "mode", mode: by.mode, ...agent, ...place }
  if (by?.type !== "rules") return { type: "tools" }
  return by.rule === undefined
    ? { type: "default", of: by.of, ...agent, ...place }
    : { type: "rule", of: by.of, rule: by.rule, ...agent, ...place }
}

/** True if hooks have blocked the same call twice in a row: they are not asked a third time. */
export const isStuck = ({ blocked }: RunState, { tool, arguments: text }: OpenCall): boolean =>
  blocked !== undefined && blocked.count > 1 && blocked.tool === tool && blocked.arguments === text

const person = ({ reason }: OpenCall) =>
  ({ type: "person", ...(reason !== undefined && { note: reason }) }) as const

/** An agent that a hook hands the call to is judged in its place. */
function judgedBy(state: RunState, call: OpenCall): FoundCause {
  const spawn = call.spawns?.[0]
  if (!spawn) return findRuleCause(state.rights, call, state.start!.moved)
  const { agent: name, aliases, own } = spawn
  const handover = toHandoverCall({ type: "agent", name, ...(aliases && { aliases }) })
  // The user's own hook is bound by the user's rules alone, which were judged when it asked.
  return own
    ? { decision: own.decision, type: "hook", hook: spawn.hook }
    : findRuleCause(withoutOwnSets(state.rights), handover)
}

/** Finds the rule or the default that decides about a call. */
function findRuleCause(
  rights: readonly RuleSet[],
  call: JudgedCall,
  moved?: Parameters<typeof judge>[2],
): FoundCause {
  const judgement = judge(rights, call, moved)
  return judgement.decision === "allow"
    ? findPermission(rights, call, moved)
    : findObstacle(rights, call, judgement, moved)
}

function findObstacle(
  rights: readonly RuleSet[],
  call: JudgedCall,
  { decision, of, about }: Judgement,
  moved: Parameters<typeof judge>[2],
): FoundCause {
  for (const set of rights) {
    if (set.of !== of || !appliesTo(set, call)) continue
    const match = findMatch(set, call, about, moved)
    if (match?.decision === decision) return { decision, ...reasonOf(set, match.rule), ...aboutOf(about) }
  }
  return { decision, type: "unclear", of, ...aboutOf(about) }
}

/**
 * Every set allows the call. The outermost set that would not have allowed it by default is named, because its
 * rule made the difference. A list of tools only limits, so its entries are not named.
 */
function findPermission(
  rights: readonly RuleSet[],
  call: JudgedCall,
  moved: Parameters<typeof judge>[2],
): FoundCause {
  const accesses: readonly (Access | undefined)[] = call.accesses?.length ? call.accesses : [undefined]
  const sets = rights.filter((set) => !set.tools)
  for (const set of sets.toReversed()) {
    if (set.otherwise === "allow") continue
    for (const access of accesses) {
      const match = findMatch(set, call, access, moved)
      if (match?.decision === "allow" && match.rule !== undefined)
        return { decision: "allow", ...reasonOf(set, match.rule) }
    }
  }
  return { decision: "allow", type: "default" }
}

function reasonOf({ of, agent }: RuleSet, rule: string | undefined) {
  const owner = { of, ...(agent !== undefined && { agent }) }
  if (agent !== undefined && isPlan(of))
    return { type: "mode", mode: "plan", agent, ...(rule !== undefined && { rule }) } as const
  return rule === undefined
    ? ({ type: "default", ...owner } as const)
    : ({ type: "rule", ...owner, rule } as const)
}

const isPlan = (of: string): boolean => of.startsWith("the plan mode of ")

const aboutOf = (about: Access | undefined) => (about ? { about } : {})
