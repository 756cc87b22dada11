import type { Json } from "../../../../ground/message.ts"
import type { ClientOptions } from "../client.ts"

/** Settings of a model that is reached over Anthropic's messages protocol. */
export interface AnthropicOptions extends ClientOptions {
  /** The model's id in cadre. Default: `anthropic/` and the model's name. */
  readonly id?: string
  /** The provider's name for the model. */
  readonly model: string
  /**
   * Any server that answers `/v1/messages` below this address. Default: `https://api.anthropic.com`. A query is kept.
   */
  readonly baseUrl?: string
  /** The key, sent as `x-api-key` to `baseUrl` only, and never shown. */
  readonly apiKey?: string
  /**
   * A bearer token, for servers that want one instead of a key. It is sent to `baseUrl` only, and never shown. If `apiKey` is
   * set too, both are sent.
   */
  readonly authToken?: string
  /**
   * Headers such as `anthropic-beta`. They override the default headers, including `anthropic-version: 2023-06-01`. The
   * version 2026-10-21 works as well, but has no `temperature`.
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Parameters for every request, such as `temperature`, `thinking`, `output_config` or `metadata`. A `null` is left
   * out. Parameters of a definition override them.
   *
   * `max_tokens` limits a reply, unless a limit of the run is lower. Default: 8,192 (or see `longestReply`), plus the
   * budget of `thinking`.
   *
   * A definition's effort in words becomes `output_config.effort`, and one in tokens becomes `thinking`. If that parameter
   * is set, in these parameters or in the definition's, it overrides the effort.
   */
  readonly parameters?: Readonly<Record<string, Json>>
  /**
   * The longest reply that the model can write, in tokens. If it is set, `max_tokens` is 32,000 by default, plus the budget
   * of `thinking`, and never more than this.
   */
  readonly longestReply?: number
  /**
   * How long the provider caches its input, so that a history is paid in full only once: five minutes (default), an
   * hour, or `off`.
   */
  readonly cache?: "5m" | "1h" | "off"
  /**
   * The price of a token. Without it the cost of a run is unknown. Tokens read from the cache cost `cacheRead`
   * (default: a tenth of `input`). Tokens written to it cost `cacheWrite` (default: 1.25 times `input`, or twice for an
   * hour).
   */
  readonly price?: {
    readonly input: number
    readonly output: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
  }
  /**
   * True if the server enforces the schema of `submit_result`. Default: true at Anthropic's own address, for models
   * since 4.5.
   */
  readonly strictTools?: boolean
}
