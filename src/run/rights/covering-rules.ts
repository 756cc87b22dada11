import type { FolderMove } from "../../agent/isolation.ts"
import type { Access } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { type JudgedCall, judge } from "./rights.ts"
import { configurationOwner } from "./rule-sets.ts"

/** The rules that let a call through, as a person writes them, or the reason why none is offered. */
export type CoveringRules =
  | { readonly type: "rules"; readonly rules: readonly string[] }
  | { readonly type: "none"; readonly reason: string }

/**
 * Finds the narrowest rules of the configuration that let a call through. There is one for each thing that it would do and
 * that a person is asked about. No rule has a wildcard. None is offered for what is protected or cannot be known beforehand, and none where
 * other rules would still ask.
 */
export function findCoveringRules(
  rights: readonly RuleSet[],
  call: JudgedCall,
  moved: readonly FolderMove[] | undefined,
  isProtected: (path: string) => boolean,
): CoveringRules {
  const { accesses = [] } = call
  if (accesses.length === 0) return none("cadre does not know what the call would do")
  const rules: string[] = []
  for (const access of accesses) {
    if (access.type === "dangerous") return none(access.reason)
    if (access.type === "unclear") return none(`its effects are not known: ${access.reason}`)
    if ("loose" in access && access.loose) return none("cadre does not know what the program does")
    if (access.type === "write" && isProtected(access.path)) return none(`${access.path} is protected`)
    if (judge(rights, { ...call, accesses: [access] }, moved).decision !== "ask") continue
    const rule = ruleFor(access)
    if (rule === undefined) return none("no rule without a wildcard covers it")
    if (!rules.includes(rule)) rules.push(rule)
  }
  const judgement = judge(withRules(rights, rules), call, moved)
  if (rules.length === 0 || judgement.decision !== "allow") return none(`${judgement.of} would still ask`)
  return { type: "rules", rules }
}

/** The rights of a run as they would be with more rules that allow in the configuration. */
export const withRules = (rights: readonly RuleSet[], allowed: readonly string[]): readonly RuleSet[] =>
  rights.map((set) =>
    set.of === configurationOwner && set.agent === undefined
      ? { ...set, rules: [...set.rules, ...allowed.map((tool) => ({ tool, decision: "allow" }) as const)] }
      : set,
  )

const none = (reason: string): CoveringRules => ({ type: "none", reason })

/** Undefined where the rule would cover more than the access. */
function ruleFor(access: Access): string | undefined {
  const [tool, argument] = subjectOf(access) ?? []
  if (tool === undefined || argument === undefined) return undefined
  const special = access.type === "command" ? /[*()\n]/ : /[*?[\]{}()!,\n]/
  // A rule reads these characters as wildcards, lists or its own end.
  return special.test(argument) || argument.trim() !== argument ? undefined : `${tool}(${argument})`
}

function subjectOf(access: Access): readonly [tool: string, argument: string] | undefined {
  switch (access.type) {
    case "command":
      return ["Bash", access.text]
    case "read":
      return access.below ? undefined : ["Read", access.path]
    case "write":
      return access.below ? undefined : ["Edit", access.path]
    case "host":
      return ["WebFetch", access.host]
    case "agent":
      return ["Agent", access.name]
    case "executor":
      return ["Executor", access.name]
    case "unclear":
    case "dangerous":
      return undefined
  }
}
