import { type Json, mapOf } from "../../../ground/message.ts"

/** The origin of a reply: the host and the model that was requested. */
export interface ReplyOrigin {
  readonly host: string
  readonly model: string
}

/** The data that a message keeps for its provider, with its origin, under the protocol's name. */
export const packProviderData = ({ host, model }: ReplyOrigin, protocol: string, data: Json): Json => ({
  from: host,
  model,
  [protocol]: data,
})

/**
 * The data of `keptFor` for a request to `origin`. Undefined: the data has another origin. `model`: only the model that
 * wrote the data can read it. Old logs without an origin count as the same.
 */
export function readProviderData(
  provider: Json | undefined,
  { host, model }: ReplyOrigin,
  protocol: string,
  bound: "host" | "model",
): Json | undefined {
  const stored = mapOf(provider)
  // Before origins were recorded, only data of Anthropic was kept.
  if (protocol === "anthropic" ? (stored.from ?? host) !== host : stored.from !== host) return undefined
  if (bound === "model" && (stored.model ?? model) !== model) return undefined
  return stored[protocol]
}
