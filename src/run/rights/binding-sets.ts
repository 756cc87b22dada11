import type { RuleSet } from "../log/event-rights.ts"

export const withoutOwnSets = (sets: readonly RuleSet[]): readonly RuleSet[] => {
  const cached = cache.get(sets)
  if (cached) return cached
  const result = sets.some(({ own }) => own) ? sets.filter(({ own }) => !own) : sets
  cache.set(sets, result)
  return result
}

const cache = new WeakMap<readonly RuleSet[], readonly RuleSet[]>()
