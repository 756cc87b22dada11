import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { bound, clientOptions, keyHeader, protocolModel } from "./client.ts"
import { limitParameters, reservedParameters } from "./responses/names.ts"
import type { ResponsesOptions } from "./responses/options.ts"

/**
 * A model that is asked over OpenAI's responses protocol. Nothing is stored at the provider: each request has the whole
 * history, with the model's sealed reasoning where it came from the same host and model. A failure of the provider, the
 * connection or the time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 */
export function responsesModel(options: ResponsesOptions): Model {
  requireKnownOptions("responsesModel", options, responsesOptions)
  const id = options.id ?? `openai/${options.model}`
  const { model, parameters = {}, price } = options
  for (const name of limitParameters) bound(id, name, parameters[name] ?? 1)
  return protocolModel(id, options, {
    model,
    baseUrl: "https://api.openai.com/v1",
    path: (base) => `${base}/responses`,
    headers: keyHeader("authorization", options.apiKey, "Bearer "),
    reservedParameters,
    async speak() {
      const { speakResponses } = await import("./responses/speech.ts")
      return speakResponses(options)
    },
    // All of the input may have to be put into the cache.
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
