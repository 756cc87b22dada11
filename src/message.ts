/** What a model reads and writes, in the runtime's own words. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type JsonMap = { readonly [key: string]: Json }

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A map that is given; else one without keys. */
export const mapOf = (value: unknown): JsonMap => (isMap(value) ? value : {})

/** One tool call as it stands in the history. `id` is the runtime's; `wire` is what the provider sees. */
export interface Call {
  readonly id: string
  readonly wire: string
  readonly tool: string
  /** The argument text exactly as the model wrote it, so that a resent history is byte-stable. */
  readonly arguments: string
}

export type Message =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant"
      readonly text: string
      readonly calls: readonly Call[]
      /** What only the provider's own protocol reads, such as signed reasoning. It is sent back unchanged. */
      readonly provider?: Json
    }
  | {
      readonly role: "tool"
      readonly call: string
      readonly wire: string
      readonly tool: string
      readonly text: string
      readonly isError?: true
    }

/** Tokens as the provider counts them. A missing `cost` means the price is unknown, never zero. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
  readonly cost?: number
}
