import type { TokenUsage } from "../../ground/message.ts"
import { getKnownUsage } from "../../ground/usage.ts"
import type { CallResult } from "./event.ts"
import type { UsageByModel } from "./event-outcome.ts"
import type { StoreCharge } from "./store.ts"

/**
 * The usage of models that a tool asked by itself, checked and reduced to the known fields. Undefined if
 * it is invalid.
 */
export function readToolUsage(value: unknown): UsageByModel | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const read = Object.entries(value).map(([model, usage]) => [model, usageOf(usage)] as const)
  return read.every(([, usage]) => usage) ? (Object.fromEntries(read) as UsageByModel) : undefined
}

function usageOf(value: TokenUsage | null | undefined): TokenUsage | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const present = usageFields
    .map((name) => [name, value[name]] as const)
    .filter(([, amount]) => amount !== undefined)
  if (!present.every(([, amount]) => isAmount(amount))) return undefined
  return Object.fromEntries(present)
}

export const usageFields = ["inputTokens", "outputTokens", "cachedTokens", "reasoningTokens", "cost"] as const

/** Every sum of such numbers is finite. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER

/**
 * The charge for a tool's own model usage. It was not reserved, because the tool reports it only afterwards.
 */
export function chargeForUsage({ usage }: CallResult): { readonly settle?: StoreCharge } {
  if (usage === undefined) return {}
  let [tokens, total] = [0, 0]
  for (const used of Object.values(usage)) {
    const { inputTokens, outputTokens, cost } = getKnownUsage(used)
    tokens += inputTokens + outputTokens
    total += cost
  }
  return { settle: { tokens, cost: total } }
}
