import { type Json, mapOf } from "../../../ground/message.ts"

/** Who made a reply: the host that was asked, and the model it was asked for. */
export interface Origin {
  readonly host: string
  readonly model: string
}

/** What a message keeps for its provider, under the protocol's name, with whom it is from. */
export const keptFor = ({ host, model }: Origin, protocol: string, data: Json): Json => ({
  from: host,
  model,
  [protocol]: data,
})

/**
 * What `keptFor` kept, for a request to `origin`; undefined where it is from somebody else. `model`: it can be read
 * only by the model that wrote it. Logs from before origins were kept do not say: they count as the same.
 */
export function keptBy(
  provider: Json | undefined,
  { host, model }: Origin,
  protocol: string,
  bound: "host" | "model",
): Json | undefined {
  const kept = mapOf(provider)
  // Only Anthropic's was kept before origins were.
  if (protocol === "anthropic" ? (kept.from ?? host) !== host : kept.from !== host) return undefined
  if (bound === "model" && (kept.model ?? model) !== model) return undefined
  return kept[protocol]
}
