import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions, ModelPrice } from "../client.ts"

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
