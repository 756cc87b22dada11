import type { ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"

export type Parameters = Readonly<Record<string, Json>>

/**
 * Merges the parameters of a request over the client's own, without those that the runtime sets. `limits` are names for
 * one thing, the limit on a reply: if a request gives one, it replaces all of them.
 */
export function mergeParameters(
  own: Parameters,
  requested: Parameters,
  { reserved, limits }: { readonly reserved: readonly string[]; readonly limits: readonly string[] },
): Parameters {
  const merged: Record<string, Json> = { ...own }
  if (limits.some((name) => name in requested)) for (const name of limits) delete merged[name]
  for (const [name, value] of Object.entries(requested)) if (!reserved.includes(name)) merged[name] = value
  return merged
}

/** Reads a number of tokens. The error that it throws becomes a failure in the reply. */
export function readTokens(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
  throw new Error(
    `the parameter ${name} is ${JSON.stringify(value)}, but must be a whole number of at least 1.`,
  )
}

/** The part of a request before its messages, with the values that it was made from. */
export interface RequestHead<Settings> {
  readonly system: string
  readonly parameters: ModelRequest["parameters"]
  readonly effort: ModelRequest["effort"]
  readonly settings: Settings
  readonly bytes: Buffer
}
