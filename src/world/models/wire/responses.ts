import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { clientOptions, createProtocolModel, makeKeyHeader, requireBound } from "./client.ts"
import { reservedResponsesParameters, responsesLimitParameters } from "./responses/names.ts"
import type { ResponsesOptions } from "./responses/options.ts"

/**
 * A model that uses OpenAI's responses protocol. The provider stores nothing: each request contains the whole history,
 * with sealed reasoning from the same host and model.
 *
 * `stream` never throws: failures of the provider or the connection, timeouts and aborts are data in the reply. Nothing
 * is retried here.
 *
 * @example
 * ```ts
 * import { createRuntime, responsesModel } from "cadre"
 *
 * const apiKey = process.env.OPENAI_API_KEY ?? ""
 * const model = responsesModel({ model: "gpt-5", apiKey, parameters: { reasoning: { effort: "low" } } })
 * const runtime = createRuntime({ models: { model } })
 * ```
 */
export function responsesModel(options: ResponsesOptions): Model {
  requireKnownOptions("responsesModel", options, responsesOptions)
  const id = options.id ?? `openai/${options.model}`
  const { model, parameters = {}, price } = options
  for (const name of responsesLimitParameters) requireBound(id, name, parameters[name] ?? 1)
  return createProtocolModel(id, options, {
    model,
    baseUrl: "https://api.openai.com/v1",
    path: (base) => `${base}/responses`,
    headers: makeKeyHeader("authorization", options.apiKey, "Bearer "),
    reservedParameters: reservedResponsesParameters,
    async speak() {
      const { speakResponses } = await import("./responses/speech.ts")
      return speakResponses(options)
    },
    // In the worst case all input is written to the cache.
    ...(price?.cacheWrite !== undefined && {
      highestPrice: { input: Math.max(price.input, price.cacheWrite), output: price.output },
    }),
  })
}

const responsesOptions: KnownOptions<ResponsesOptions> = {
  ...clientOptions,
  id: "known",
  model: "known",
  apiKey: "known",
}
