import type { TokenUsage } from "./message.ts"

/** The usage of a request that was only refused. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 }

/** Undefined: unknown. */
export const sumTokens = ({ inputTokens, outputTokens }: TokenUsage): number | undefined =>
  inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens

/** Undefined: unknown. A request without usage costs nothing at any price. */
export const computeUsageCost = (usage: TokenUsage): number | undefined =>
  usage.cost ?? (sumTokens(usage) === 0 ? 0 : undefined)

/** The known part of a usage, where a part of a total is unknown. */
export function getKnownUsage(
  usage: TokenUsage,
): Required<Pick<TokenUsage, "inputTokens" | "outputTokens" | "cost">> {
  const { inputTokens, outputTokens, cost, atLeast } = usage
  return {
    inputTokens: inputTokens ?? atLeast?.inputTokens ?? 0,
    outputTokens: outputTokens ?? atLeast?.outputTokens ?? 0,
    cost: cost ?? atLeast?.cost ?? 0,
  }
}

/**
 * A total is known if all of its parts are. Each reply adds to several totals, so this makes no lists or
 * copies.
 */
export function addUsage(before: TokenUsage, added: TokenUsage): TokenUsage {
  const total: Written<TokenUsage> = {}
  set(total, "inputTokens", sum(before.inputTokens, added.inputTokens))
  set(total, "outputTokens", sum(before.outputTokens, added.outputTokens))
  set(total, "cachedTokens", detailSum("cachedTokens", before, added))
  set(total, "reasoningTokens", detailSum("reasoningTokens", before, added))
  set(total, "cost", sum(computeUsageCost(before), computeUsageCost(added)))
  if (!isWhole(total, before, added)) {
    const minimum = atLeast(before, added)
    if (minimum) total.atLeast = minimum
  }
  return total
}

type Written<Value> = { -readonly [Key in keyof Value]: Value[Key] }
type Detail = "cachedTokens" | "reasoningTokens"

function set(
  total: Written<TokenUsage>,
  name: Detail | "inputTokens" | "outputTokens" | "cost",
  value?: number,
): void {
  if (value !== undefined) total[name] = value
}

/** True if the parts know nothing that the total lacks. */
function isWhole(total: TokenUsage, before: TokenUsage, added: TokenUsage): boolean {
  return (
    sumTokens(total) !== undefined &&
    knownDetail("cachedTokens", before, added) === total.cachedTokens &&
    knownDetail("reasoningTokens", before, added) === total.reasoningTokens &&
    (total.cost !== undefined || !(hasCost(before) || hasCost(added)))
  )
}

/** Undefined if nothing is known, which is not the same as zero. */
function atLeast(before: TokenUsage, added: TokenUsage): TokenUsage["atLeast"] {
  const one = getKnownUsage(before)
  const other = getKnownUsage(added)
  const inputTokens = one.inputTokens + other.inputTokens
  const outputTokens = one.outputTokens + other.outputTokens
  const cost = one.cost + other.cost
  if (inputTokens + outputTokens + cost === 0) return undefined
  const minimum: Written<NonNullable<TokenUsage["atLeast"]>> = { inputTokens, outputTokens }
  set(minimum, "cachedTokens", knownDetail("cachedTokens", before, added))
  set(minimum, "reasoningTokens", knownDetail("reasoningTokens", before, added))
  if (cost > 0) minimum.cost = cost
  return minimum
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other

/**
 * A request without usage has none of this. If a request with usage does not report it, the total is unknown.
 */
function detailSum(name: Detail, before: TokenUsage, added: TokenUsage): number | undefined {
  if (before[name] === undefined && sumTokens(before) === 0) return added[name]
  if (added[name] === undefined && sumTokens(added) === 0) return before[name]
  return sum(before[name], added[name])
}

function knownDetail(name: Detail, before: TokenUsage, added: TokenUsage): number | undefined {
  const one = before[name] ?? before.atLeast?.[name]
  const other = added[name] ?? added.atLeast?.[name]
  return one === undefined || other === undefined ? (one ?? other) : one + other
}

const hasCost = ({ cost, atLeast }: TokenUsage): boolean => cost !== undefined || atLeast?.cost !== undefined
