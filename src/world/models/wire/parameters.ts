import type { ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"

export type Parameters = Readonly<Record<string, Json>>

/**
 * The client's own parameters, and over them what a request wants sent along, but for what the runtime sets
 * itself. `limits` are names for one thing, the bound on a reply: a request that gives one replaces them all.
 */
export function mergedParameters(
  own: Parameters,
  given: Parameters,
  { reserved, limits }: { readonly reserved: readonly string[]; readonly limits: readonly string[] },
): Parameters {
  const merged: Record<string, Json> = { ...own }
  if (limits.some((name) => name in given)) for (const name of limits) delete merged[name]
  for (const [name, value] of Object.entries(given)) if (!reserved.includes(name)) merged[name] = value
  return merged
}

/** Throws what becomes a refusal in the reply. */
export function tokensIn(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
  throw new Error(
    `the parameter ${name} is ${JSON.stringify(value)}, and must be a whole number of at least 1.`,
  )
}

/** What comes before the messages, and what it was made from. */
export interface Head<Settings> {
  readonly system: string
  readonly parameters: ModelRequest["parameters"]
  readonly effort: ModelRequest["effort"]
  readonly settings: Settings
  readonly bytes: Buffer
}
