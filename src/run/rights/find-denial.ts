import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { ToolDenial } from "../ports/tool-denial.ts"
import { withoutOwnSets } from "./binding-sets.ts"
import { coversTool, readRulePattern } from "./pattern.ts"
import { toCanonicalNames } from "./rule-sets.ts"

/**
 * The rules of others that bind a run: of runs above, of the configuration, and of a run that it follows or
 * continues.
 */
export function collectBindingSets(
  { rights }: Pick<StartEnvironment, "rights">,
  { parent, follows, continuedRun }: Pick<Beginning, "parent" | "follows" | "continuedRun">,
): readonly RuleSet[] {
  const above = parent ? parent.rights : [rights, ...(follows?.rights ?? [])]
  return continuedRun ? withoutOwnSets([...above, ...continuedRun.rights]) : withoutOwnSets(above)
}

export function findDenial(
  sets: readonly RuleSet[],
  tool: string,
  registered: ReadonlyMap<string, unknown>,
): ToolDenial | undefined {
  for (const set of sets) {
    const { of, agent } = set
    const denial = denialOf(set, tool, registered)
    if (denial) return { of, ...(agent !== undefined && { agent }), ...denial }
  }
  return undefined
}

/**
 * A set that denies everything else may have a rule that allows some uses of this tool. Then each call is
 * judged.
 */
function denialOf(
  { rules, otherwise, tools }: RuleSet,
  tool: string,
  registered: ReadonlyMap<string, unknown>,
): { rule?: string } | undefined {
  if (tools && !tools.some((name) => coversTool(name, tool))) return undefined
  let isAllowed = false
  for (const { tool: rule, decision } of rules) {
    const { argument } = readRulePattern(rule)
    const isNamedByRule =
      argument === undefined && flatNames(rule, registered).some((name) => coversTool(name, tool))
    if (isNamedByRule && decision === "deny") return { rule }
    isAllowed ||= decision !== "deny" && (isNamedByRule || argument !== undefined)
  }
  return otherwise === "deny" && !isAllowed ? {} : undefined
}

/** The tools that a rule without an argument names, under any host's names for them. */
function flatNames(rule: string, registered: ReadonlyMap<string, unknown>): readonly string[] {
  const flat = namesCache.get(registered) ?? new Map<string, readonly string[]>()
  const names = flat.get(rule) ?? toCanonicalNames(rule, registered).map((name) => readRulePattern(name).tool)
  if (flat.size > 10_000) flat.clear()
  namesCache.set(registered, flat.set(rule, names))
  return names
}

const namesCache = new WeakMap<ReadonlyMap<string, unknown>, Map<string, readonly string[]>>()
