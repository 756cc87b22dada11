import type { RuleSet } from "../log/event-rights.ts"

export const binding = (sets: readonly RuleSet[]): readonly RuleSet[] => {
  const known = bound.get(sets)
  if (known) return known
  const found = sets.some(({ own }) => own) ? sets.filter(({ own }) => !own) : sets
  bound.set(sets, found)
  return found
}

const bound = new WeakMap<readonly RuleSet[], readonly RuleSet[]>()
