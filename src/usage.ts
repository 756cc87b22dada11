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
export function knownOf(usage: Usage): Required<NonNullable<Usage["atLeast"]>> {
  const { inputTokens, outputTokens, cost, atLeast } = usage
  return {
    inputTokens: inputTokens ?? atLeast?.inputTokens ?? 0,
    outputTokens: outputTokens ?? atLeast?.outputTokens ?? 0,
    cost: cost ?? atLeast?.cost ?? 0,
  }
}

/** A total is known where all of its parts are. */
export function addUsage(before: Usage, added: Usage): Usage {
  const total = {
    ...sum("inputTokens", before.inputTokens, added.inputTokens),
    ...sum("outputTokens", before.outputTokens, added.outputTokens),
    ...sumOfTold("cachedTokens", before, added),
    ...sumOfTold("reasoningTokens", before, added),
    ...sum("cost", costOf(before), costOf(added)),
  }
  const isKnown = total.inputTokens !== undefined && total.outputTokens !== undefined
  if (isKnown && (total.cost !== undefined || !hasCost(before, added))) return total
  const known = atLeast(knownOf(before), knownOf(added))
  return known ? { ...total, atLeast: known } : total
}

/** Undefined where nothing is known: that is not the same as nothing. */
function atLeast(one: Known, other: Known): Usage["atLeast"] {
  const inputTokens = one.inputTokens + other.inputTokens
  const outputTokens = one.outputTokens + other.outputTokens
  const cost = one.cost + other.cost
  if (inputTokens + outputTokens + cost === 0) return undefined
  return { inputTokens, outputTokens, ...(cost > 0 && { cost }) }
}

type Known = ReturnType<typeof knownOf>

type Amount = "inputTokens" | "outputTokens" | "cachedTokens" | "reasoningTokens" | "cost"

const sum = (name: Amount, one: number | undefined, other: number | undefined): Usage =>
  one === undefined || other === undefined ? {} : { [name]: one + other }

/** Most providers do not tell it at all. */
const sumOfTold = (name: Amount & keyof Usage, before: Usage, added: Usage): Usage =>
  before[name] === undefined && added[name] === undefined
    ? {}
    : { [name]: (before[name] ?? 0) + (added[name] ?? 0) }

const hasCost = (...usages: readonly Usage[]): boolean =>
  usages.some(({ cost, atLeast }) => cost !== undefined || atLeast !== undefined)
