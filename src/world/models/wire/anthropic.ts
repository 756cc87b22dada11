import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { reservedParameters } from "./anthropic/names.ts"
import type { AnthropicOptions } from "./anthropic/options.ts"
import type { TokenPrice } from "./anthropic/reply.ts"
import { bound, clientOptions, keyHeader, protocolModel } from "./client.ts"

/**
 * A model that is asked over Anthropic's messages protocol. A failure of the provider, the connection or the
 * time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 *
 * `usage.inputTokens` is all that was read: what the provider took from its cache (`cachedTokens`) and what it
 * wrote there are part of it, and count in full against a limit on tokens. Their price differs, so the cost is
 * computed here. Signed thinking is kept with the message and sent back unchanged.
 */
export function anthropicModel(options: AnthropicOptions): Model {
  requireKnownOptions("anthropicModel", options, anthropicOptions)
  const id = options.id ?? `anthropic/${options.model}`
  const { model, parameters = {}, cache = "5m" } = options
  const price = options.price && fullPrice(options.price, cache)
  bound(id, "max_tokens", parameters.max_tokens ?? 1)
  bound(id, "longestReply", options.longestReply ?? 1)
  return protocolModel(id, options, {
    model,
    baseUrl: "https://api.anthropic.com",
    path: (base) => `${base.replace(/\/v1$/, "")}/v1/messages`,
    headers: {
      "anthropic-version": "2023-06-01",
      ...keyHeader("x-api-key", options.apiKey),
      ...keyHeader("authorization", options.authToken, "Bearer "),
    },
    reservedParameters,
    async speak() {
      const { speakMessages } = await import("./anthropic/speech.ts")
      return speakMessages(options, price)
    },
    // All of the input may have to be written to the cache.
    ...(price &&
      cache !== "off" && {
        highestPrice: { input: Math.max(price.input, price.cacheWrite), output: price.output },
      }),
  })
}

function fullPrice(
  price: NonNullable<AnthropicOptions["price"]>,
  cache: NonNullable<AnthropicOptions["cache"]>,
): TokenPrice {
  return {
    ...price,
    cacheRead: price.cacheRead ?? price.input * 0.1,
    cacheWrite: price.cacheWrite ?? price.input * (cache === "1h" ? 2 : 1.25),
  }
}

const anthropicOptions: KnownOptions<AnthropicOptions> = {
  ...clientOptions,
  id: "known",
  model: "known",
  apiKey: "known",
  authToken: "known",
  cache: "known",
  longestReply: "known",
}
