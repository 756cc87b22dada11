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

/** A total is known where all of its parts are. */
export function addUsage(before: Usage, added: Usage): Usage {
  const total: Usage = {
    ...sum("inputTokens", before.inputTokens, added.inputTokens),
    ...sum("outputTokens", before.outputTokens, added.outputTokens),
    ...detailSum("cachedTokens", before, added),
    ...detailSum("reasoningTokens", before, added),
    ...sum("cost", costOf(before), costOf(added)),
  }
  const isKnown = total.inputTokens !== undefined && total.outputTokens !== undefined
  const details = {
    ...knownDetail("cachedTokens", before, added),
    ...knownDetail("reasoningTokens", before, added),
  }
  const isWhole =
    details.cachedTokens === total.cachedTokens && details.reasoningTokens === total.reasoningTokens
  if (isKnown && isWhole && (total.cost !== undefined || !hasCost(before, added))) return total
  const known = atLeast(knownOf(before), knownOf(added), details)
  return known ? { ...total, atLeast: known } : total
}

/** Undefined where nothing is known: that is not the same as nothing. */
function atLeast(one: Known, other: Known, details: Details): Usage["atLeast"] {
  const inputTokens = one.inputTokens + other.inputTokens
  const outputTokens = one.outputTokens + other.outputTokens
  const cost = one.cost + other.cost
  if (inputTokens + outputTokens + cost === 0) return undefined
  return { inputTokens, outputTokens, ...details, ...(cost > 0 && { cost }) }
}

type Known = ReturnType<typeof knownOf>

type Details = Pick<Usage, "cachedTokens" | "reasoningTokens">

const sum = (name: keyof Known, one: number | undefined, other: number | undefined): Usage =>
  one === undefined || other === undefined ? {} : { [name]: one + other }

/** What used nothing has none of it. What used something and does not tell it makes the total unknown. */
function detailSum(name: keyof Details, before: Usage, added: Usage): Details {
  const parts = [before, added].filter((usage) => usage[name] !== undefined || tokensOf(usage) !== 0)
  const told = parts.flatMap((usage) => usage[name] ?? [])
  return told.length === 0 || told.length < parts.length
    ? {}
    : { [name]: told.reduce((one, other) => one + other) }
}

function knownDetail(name: keyof Details, before: Usage, added: Usage): Details {
  const told = [before, added].flatMap((usage) => usage[name] ?? usage.atLeast?.[name] ?? [])
  return told.length === 0 ? {} : { [name]: told.reduce((one, other) => one + other) }
}

const hasCost = (...usages: readonly Usage[]): boolean =>
  usages.some(({ cost, atLeast }) => cost !== undefined || atLeast?.cost !== undefined)
