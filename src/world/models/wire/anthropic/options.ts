import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions } from "../client.ts"

export interface AnthropicOptions extends ClientOptions {
  /** What the model is called here. Default: `anthropic/` and the model's name. */
  readonly id?: string
  /** The name the provider knows it by. */
  readonly model: string
  /** Default: `https://api.anthropic.com`. Any server that answers `/v1/messages` below it. A query is kept. */
  readonly baseUrl?: string
  /** Sent as `x-api-key`, to `baseUrl` alone, and never shown. */
  readonly apiKey?: string
  /** Sent as a bearer token instead of a key, to `baseUrl` alone, and never shown. */
  readonly authToken?: string
  /**
   * Such as `anthropic-beta`. They replace what is sent otherwise, also `anthropic-version: 2023-06-01`; the
   * version 2026-10-21 works as well, but knows no `temperature`.
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Added to every request as they are, such as `temperature`, `thinking`, `output_config` or `metadata`. A
   * `null` is left out. `max_tokens` bounds a reply where no limit of the run is tighter; default: 8,192 (or see `longestReply`), and
   * what `thinking` may use on top. What a definition gives comes over them. `output_config.effort` and
   * `thinking`, here or there, beat a definition's effort, which is one in words and the other in tokens.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /** Tokens that the model can write at most: a reply is bound to 32,000 then, where nobody says otherwise. */
  readonly longestReply?: number
  /**
   * How long the provider keeps what it has read, so that a history is paid in full only once: five minutes
   * (default), an hour, or `off`.
   */
  readonly cache?: "5m" | "1h" | "off"
  /**
   * What a token costs. Without it the cost of a run is unknown. Tokens read from the cache cost `cacheRead`
   * (default: a tenth of `input`), those written to it `cacheWrite` (default: 1.25 times `input`, or twice for
   * an hour).
   */
  readonly price?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
  }
  /**
   * Whether the server holds a model to the schema of `submit_result`. Default: at Anthropic's own address, for models
   * since 4.5.
   */
  readonly strictTools?: boolean
}
