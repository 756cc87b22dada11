import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions, ModelPrice } from "../client.ts"

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
