import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { reservedAnthropicParameters } from "./anthropic/names.ts"
import type { AnthropicOptions } from "./anthropic/options.ts"
import type { TokenPrice } from "./anthropic/reply.ts"
import { clientOptions, createProtocolModel, makeKeyHeader, requireBound } from "./client.ts"

/**
 * A model that uses Anthropic's messages protocol. `stream` never throws: failures of the provider or the connection,
 * timeouts and aborts are data in the reply. Nothing is retried here.
 *
 * `usage.inputTokens` is all input. It includes tokens that were read from the provider's cache (`cachedTokens`) or
 * written to it, and all of them count against a limit on tokens. Their prices differ, so the cost is computed here.
 * Signed thinking is kept with the message and sent back unchanged.
 *
 * @example
 * ```ts
 * import { anthropicModel, createRuntime } from "cadre"
 *
 * const model = anthropicModel({
 *   model: "claude-sonnet-4-5",
 *   apiKey: process.env.ANTHROPIC_API_KEY ?? "",
 *   price: { input: 3e-6, output: 15e-6 },
 * })
 * const runtime = createRuntime({ models: { model } })
 * ```
 */
export function anthropicModel(options: AnthropicOptions): Model {
  requireKnownOptions("anthropicModel", options, anthropicOptions)
  const id = options.id ?? `anthropic/${options.model}`
  const { model, parameters = {}, cache = "5m" } = options
  const price = options.price && fullPrice(options.price, cache)
  requireBound(id, "max_tokens", parameters.max_tokens ?? 1)
  requireBound(id, "longestReply", options.longestReply ?? 1)
  return createProtocolModel(id, options, {
    model,
    baseUrl: "https://api.anthropic.com",
    path: (base) => `${base.replace(/\/v1$/, "")}/v1/messages`,
    headers: {
      "anthropic-version": "2023-06-01",
      ...makeKeyHeader("x-api-key", options.apiKey),
      ...makeKeyHeader("authorization", options.authToken, "Bearer "),
    },
    reservedParameters: reservedAnthropicParameters,
    async speak() {
      const { speakMessages } = await import("./anthropic/speech.ts")
      return speakMessages(options, price)
    },
    // In the worst case all input is written to the cache.
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
