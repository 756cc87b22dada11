import type { Usage } from "./message.ts"

/** Of a request that nobody answered with more than a refusal. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** Undefined: nobody knows. */
export const tokensOf = ({ inputTokens, outputTokens }: Usage): number | undefined =>
  inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens

/** Undefined: nobody knows. What used nothing cost nothing, whatever its price is. */
export const costOf = (usage: Usage): number | undefined =>
  usage.cost ?? (tokensOf(usage) === 0 ? 0 : undefined)

/** What is known of it, where a part of a total is not. */
export function knownOf(usage: Usage): Required<Pick<Usage, "inputTokens" | "outputTokens" | "cost">> {
  const { inputTokens, outputTokens, cost, atLeast } = usage
  return {
    inputTokens: inputTokens ?? atLeast?.inputTokens ?? 0,
    outputTokens: outputTokens ?? atLeast?.outputTokens ?? 0,
    cost: cost ?? atLeast?.cost ?? 0,
  }
}

/** A total is known where all of its parts are. Each reply adds to several totals, so this makes no lists or copies. */
export function addUsage(before: Usage, added: Usage): Usage {
  const total: Written<Usage> = {}
  set(total, "inputTokens", sum(before.inputTokens, added.inputTokens))
  set(total, "outputTokens", sum(before.outputTokens, added.outputTokens))
  set(total, "cachedTokens", detailSum("cachedTokens", before, added))
  set(total, "reasoningTokens", detailSum("reasoningTokens", before, added))
  set(total, "cost", sum(costOf(before), costOf(added)))
  if (!isWhole(total, before, added)) {
    const known = atLeast(before, added)
    if (known) total.atLeast = known
  }
  return total
}

type Written<Value> = { -readonly [Key in keyof Value]: Value[Key] }
type Detail = "cachedTokens" | "reasoningTokens"

function set(
  total: Written<Usage>,
  name: Detail | "inputTokens" | "outputTokens" | "cost",
  value?: number,
): void {
  if (value !== undefined) total[name] = value
}

/** Nothing is known of the parts that the total does not have. */
function isWhole(total: Usage, before: Usage, added: Usage): boolean {
  return (
    tokensOf(total) !== undefined &&
    knownDetail("cachedTokens", before, added) === total.cachedTokens &&
    knownDetail("reasoningTokens", before, added) === total.reasoningTokens &&
    (total.cost !== undefined || !(hasCost(before) || hasCost(added)))
  )
}

/** Undefined where nothing is known: that is not the same as nothing. */
function atLeast(before: Usage, added: Usage): Usage["atLeast"] {
  const one = knownOf(before)
  const other = knownOf(added)
  const inputTokens = one.inputTokens + other.inputTokens
  const outputTokens = one.outputTokens + other.outputTokens
  const cost = one.cost + other.cost
  if (inputTokens + outputTokens + cost === 0) return undefined
  const known: Written<NonNullable<Usage["atLeast"]>> = { inputTokens, outputTokens }
  set(known, "cachedTokens", knownDetail("cachedTokens", before, added))
  set(known, "reasoningTokens", knownDetail("reasoningTokens", before, added))
  if (cost > 0) known.cost = cost
  return known
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other

/** What used nothing has none of it. What used something and does not tell it makes the total unknown. */
function detailSum(name: Detail, before: Usage, added: Usage): number | undefined {
  if (before[name] === undefined && tokensOf(before) === 0) return added[name]
  if (added[name] === undefined && tokensOf(added) === 0) return before[name]
  return sum(before[name], added[name])
}

function knownDetail(name: Detail, before: Usage, added: Usage): number | undefined {
  const one = before[name] ?? before.atLeast?.[name]
  const other = added[name] ?? added.atLeast?.[name]
  return one === undefined || other === undefined ? (one ?? other) : one + other
}

const hasCost = ({ cost, atLeast }: Usage): boolean => cost !== undefined || atLeast?.cost !== undefined
