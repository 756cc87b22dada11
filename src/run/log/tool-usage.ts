import type { Usage } from "../../ground/message.ts"
import { knownOf } from "../../ground/usage.ts"
import type { CallResult } from "./event.ts"
import type { UsageByModel } from "./event-outcome.ts"
import type { Charge } from "./store.ts"

/** What models took that a tool asked by itself, in the shape of usage and no other; undefined where it is wrong. */
export function readUsage(given: unknown): UsageByModel | undefined {
  if (typeof given !== "object" || given === null) return undefined
  const read = Object.entries(given).map(([model, usage]) => [model, usageOf(usage)] as const)
  return read.every(([, usage]) => usage) ? (Object.fromEntries(read) as UsageByModel) : undefined
}

function usageOf(given: Usage | null | undefined): Usage | undefined {
  if (typeof given !== "object" || given === null) return undefined
  const told = amounts
    .map((name) => [name, given[name]] as const)
    .filter(([, amount]) => amount !== undefined)
  if (!told.every(([, amount]) => isAmount(amount))) return undefined
  return Object.fromEntries(told)
}

export const amounts = ["inputTokens", "outputTokens", "cachedTokens", "reasoningTokens", "cost"] as const

/** No sum of such numbers is infinite. */
export const isAmount = (given: unknown): given is number =>
  typeof given === "number" && given >= 0 && given <= Number.MAX_SAFE_INTEGER

/** It was not reserved: nobody knew of it before. */
export function settling({ usage }: CallResult): { readonly settle?: Charge } {
  if (usage === undefined) return {}
  let [tokens, total] = [0, 0]
  for (const used of Object.values(usage)) {
    const { inputTokens, outputTokens, cost } = knownOf(used)
    tokens += inputTokens + outputTokens
    total += cost
  }
  return { settle: { tokens, cost: total } }
}
