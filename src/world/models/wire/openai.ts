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
import { limitParameters, reservedParameters } from "./openai/names.ts"

export interface OpenAiOptions extends ClientOptions {
  /** What the model is called here. Default: `openai/` and the model's name. */
  readonly id?: string
  /** The name the provider knows it by. */
  readonly model: string
  /** Whose rules hold, by the id of a provider such as `deepseek`. Default: whoever has the address. */
  readonly provider?: string
  /** Default: `https://api.openai.com/v1`. Any server that speaks chat completions. A query is kept. */
  readonly baseUrl?: string
  /** Sent as a bearer token, to `baseUrl` alone, and never shown. */
  readonly apiKey?: string
  /**
   * Added to every request as they are, such as `temperature`. A `null` leaves a default out. What a definition
   * gives comes over them. `reasoning_effort`, here or there, beats a definition's effort.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /**
   * What a token costs. Without it the cost of a run is unknown. Tokens that came from the provider's cache cost
   * `cacheRead`; without it as much as others.
   */
  readonly price?: ModelPrice
  /** Whether the server holds a model to the schema of `submit_result`. Default: where OpenAI's own models are asked. */
  readonly strictTools?: boolean
}

/**
 * A model that is asked over OpenAI's chat-completions protocol. A failure of the provider, the connection or
 * the time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 */
export function openaiModel(options: OpenAiOptions): Model {
  requireKnownOptions("openaiModel", options, openAiOptions)
  const id = options.id ?? `openai/${options.model}`
  const { model, parameters = {} } = options
  for (const name of limitParameters) bound(id, name, parameters[name] ?? 1)
  return protocolModel(id, options, {
    model,
    baseUrl: "https://api.openai.com/v1",
    path: (base) => `${base}/chat/completions`,
    headers: keyHeader("authorization", options.apiKey, "Bearer "),
    reservedParameters,
    async speak() {
      const { speakChat } = await import("./openai/speech.ts")
      return speakChat(options)
    },
  })
}

const openAiOptions: KnownOptions<OpenAiOptions> = {
  ...clientOptions,
  id: "known",
  model: "known",
  provider: "known",
  apiKey: "known",
}
