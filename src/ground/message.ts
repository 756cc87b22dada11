/** The messages that a model reads and writes, in the runtime's own form. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type JsonMap = { readonly [key: string]: Json }

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value if it is a map; otherwise an empty map. */
export const mapOf = (value: unknown): JsonMap => (isMap(value) ? value : {})

/** One tool call in the history. `id` is the runtime's id; `wire` is the provider's. */
export interface ToolCall {
  /** The runtime's id for the call, unique in the run. */
  readonly id: string
  /** The provider's id for the call. Some providers use the same id again. */
  readonly wire: string
  /** The name of the tool as the model wrote it. */
  readonly tool: string
  /** The argument text exactly as the model wrote it, so that a resent history is byte-stable. */
  readonly arguments: string
}

/** A picture or a PDF, by reference: its bytes are a blob of the run's tree. */
export interface Attachment {
  /** The hash of the content. */
  readonly blob: string
  /** The type of the content, found from its bytes. */
  readonly mediaType: AttachmentType
  /** The size in bytes. */
  readonly size: number
  /** For a picture: its size in pixels. */
  readonly width?: number
  /** For a picture: its height in pixels. */
  readonly height?: number
  /** For a PDF: its pages, if they can be counted. */
  readonly pages?: number
  /** The name of the file. */
  readonly name?: string
  /** The run in whose tree the blob is, if that is another tree. */
  readonly run?: string
}

/** The types of pictures and documents that models can be shown. */
export type AttachmentType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf"

/** A picture or a PDF as tools and callers give it. Its type is found from its bytes. */
export interface AttachmentData {
  /** The bytes, or the bytes as base64. */
  readonly data: Uint8Array | string
  /** The type that the source claims. It is ignored, because the bytes decide. */
  readonly mediaType?: string
  /** The name of the file. */
  readonly name?: string
}

/** One message of a history: from the user, from the model, or the result of a tool call. */
export type Message =
  | { readonly role: "user"; readonly text: string; readonly attachments?: readonly Attachment[] }
  | {
      readonly role: "assistant"
      readonly text: string
      readonly calls: readonly ToolCall[]
      /**
       * Data that only the provider's own protocol reads, such as signed reasoning. It is sent back
       * unchanged.
       */
      readonly provider?: Json
    }
  | {
      readonly role: "tool"
      readonly call: string
      readonly wire: string
      readonly tool: string
      readonly text: string
      readonly isError?: true
      readonly attachments?: readonly Attachment[]
    }

/**
 * Tokens as the provider counts them. A missing number was not reported, or has no known price: it is never
 * zero.
 */
export interface TokenUsage {
  /** All input tokens, including those from the provider's cache. */
  readonly inputTokens?: number
  /** All output tokens, including reasoning. */
  readonly outputTokens?: number
  /** The part of the input tokens that came from the provider's cache. */
  readonly cachedTokens?: number
  /** The part of the output tokens that the model used for reasoning. */
  readonly reasoningTokens?: number
  /** In US dollars. */
  readonly cost?: number
  /** For a total with an unknown part: the sum of the known parts. */
  readonly atLeast?: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cachedTokens?: number
    readonly reasoningTokens?: number
    readonly cost?: number
  }
}

/** True for a text that is not blank. */
export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

/** The texts of a map; all other values are left out. */
export const pickTexts = (map: unknown): Record<string, string> =>
  isMap(map)
    ? Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => isText(entry[1])))
    : {}

/** The value at a path of keys. */
export const getValueAt = (value: Json | undefined, path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<string | number, Json>>)[key]
        : undefined,
    value,
  )
