import type { Model } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import {
  bound,
  type ClientOptions,
  clientOptions,
  keyHeader,
  type ModelPrice,
  protocolModel,
} from "./client.ts"
import { limitParameters, reservedParameters } from "./responses/names.ts"

export interface ResponsesOptions extends ClientOptions {
  /** What the model is called here. Default: `openai/` and the model's name. */
  readonly id?: string
  /** The name the provider knows it by. */
  readonly model: string
  /** Default: `https://api.openai.com/v1`. Any server that answers `/responses` below it. A query is kept. */
  readonly baseUrl?: string
  /** Sent as a bearer token, to `baseUrl` alone, and never shown. */
  readonly apiKey?: string
  /**
   * Added to every request, such as `temperature` or `reasoning`. Names of chat completions (`max_tokens`,
   * `reasoning_effort`, `response_format`, `verbosity`, `tool_choice`) are sent under the names they have here. A
   * `null` leaves a default out. What a definition gives comes over them. `reasoning.effort`, here or there, beats a
   * definition's effort. `store` is always false.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /**
   * What a token costs. Without it the cost of a run is unknown. Tokens that came from the provider's cache cost
   * `cacheRead`, those that were put there `cacheWrite`; without these as much as others.
   */
  readonly price?: ModelPrice
  /** Whether the server holds a model to the schema of `submit_result`. Default: where OpenAI's own models are asked. */
  readonly strictTools?: boolean
}

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
