import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions, ModelPrice } from "../client.ts"

/** Settings of a model that is reached over OpenAI's chat-completions protocol. */
export interface OpenAiOptions extends ClientOptions {
  /** The model's id in cadre. Default: `openai/` and the model's name. */
  readonly id?: string
  /** The provider's name for the model. */
  readonly model: string
  /** The id of the provider whose rules apply, such as `deepseek`. Default: the provider at the address. */
  readonly provider?: string
  /** Any server that speaks chat completions. Default: `https://api.openai.com/v1`. A query is kept. */
  readonly baseUrl?: string
  /** The key, sent as a bearer token to `baseUrl` only, and never shown. */
  readonly apiKey?: string
  /**
   * Parameters for every request, such as `temperature`. A `null` removes a default. Parameters of a definition
   * override them. A definition's effort applies only if neither sets `reasoning_effort`.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /**
   * The price of a token. Without it the cost of a run is unknown. Tokens from the provider's cache cost `cacheRead`;
   * without that, the usual price.
   */
  readonly price?: ModelPrice
  /** True if the server enforces the schema of `submit_result`. Default: true for OpenAI's own models. */
  readonly strictTools?: boolean
}
