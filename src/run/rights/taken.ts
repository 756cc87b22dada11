import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Taker } from "../ports/taker.ts"
import { binding } from "./binding-sets.ts"
import { isNamed, readRulePattern } from "./pattern.ts"
import { canonicalNames } from "./rule-sets.ts"

/** The rules of others that bind a run: of those above it, of the configuration, and of a run whose place it takes. */
export function bindingSets(
  { rights }: Pick<Surroundings, "rights">,
  { parent, follows, ended }: Pick<Beginning, "parent" | "follows" | "ended">,
): readonly RuleSet[] {
  const above = parent ? parent.rights : [rights, ...(follows?.rights ?? [])]
  return ended ? binding([...above, ...ended.rights]) : binding(above)
}

export function takerOf(
  sets: readonly RuleSet[],
  tool: string,
  known: ReadonlyMap<string, unknown>,
): Taker | undefined {
  for (const set of sets) {
    const { of, agent } = set
    const taking = takingOf(set, tool, known)
    if (taking) return { of, ...(agent !== undefined && { agent }), ...taking }
  }
  return undefined
}

/** Where everything else is denied, a rule that allows some uses may be about this tool, too: then each call is judged. */
function takingOf(
  { rules, otherwise, tools }: RuleSet,
  tool: string,
  known: ReadonlyMap<string, unknown>,
): { rule?: string } | undefined {
  if (tools && !tools.some((name) => isNamed(name, tool))) return undefined
  let isAllowed = false
  for (const { tool: rule, decision } of rules) {
    const { argument } = readRulePattern(rule)
    const isMeant = argument === undefined && flatNames(rule, known).some((name) => isNamed(name, tool))
    if (isMeant && decision === "deny") return { rule }
    isAllowed ||= decision !== "deny" && (isMeant || argument !== undefined)
  }
  return otherwise === "deny" && !isAllowed ? {} : undefined
}

/** The tools that a rule without an argument names, whichever host's word it has. */
function flatNames(rule: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  const flat = flatIn.get(known) ?? new Map<string, readonly string[]>()
  const names = flat.get(rule) ?? canonicalNames(rule, known).map((name) => readRulePattern(name).tool)
  if (flat.size > 10_000) flat.clear()
  flatIn.set(known, flat.set(rule, names))
  return names
}

const flatIn = new WeakMap<ReadonlyMap<string, unknown>, Map<string, readonly string[]>>()
