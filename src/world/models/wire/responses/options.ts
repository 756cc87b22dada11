import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions, ModelPrice } from "../client.ts"

/** Settings of a model that is reached over OpenAI's responses protocol. */
export interface ResponsesOptions extends ClientOptions {
  /** The model's id in cadre. Default: `openai/` and the model's name. */
  readonly id?: string
  /** The provider's name for the model. */
  readonly model: string
  /** Any server that answers `/responses` below this address. Default: `https://api.openai.com/v1`. A query is kept. */
  readonly baseUrl?: string
  /** The key, sent as a bearer token to `baseUrl` only, and never shown. */
  readonly apiKey?: string
  /**
   * Parameters for every request, such as `temperature` or `reasoning`. Names of chat completions (`max_tokens`,
   * `reasoning_effort`, `response_format`, `verbosity`, `tool_choice`) are translated. A `null` removes a default.
   * Parameters of a definition override them. A definition's effort applies only if neither sets `reasoning.effort`.
   * `store` is always false.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /**
   * The price of a token. Without it the cost of a run is unknown. Tokens from the provider's cache cost `cacheRead`,
   * tokens written to it `cacheWrite`; without these, the usual price.
   */
  readonly price?: ModelPrice
  /** True if the server enforces the schema of `submit_result`. Default: true for OpenAI's own models. */
  readonly strictTools?: boolean
}
