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

/** A picture or a PDF, by reference: its bytes are a blob of the run's tree. */
export interface Attachment {
  /** The hash of its content. */
  readonly blob: string
  readonly mediaType: AttachmentType
  /** In bytes. */
  readonly size: number
  /** Of a picture, in pixels. */
  readonly width?: number
  readonly height?: number
  /** Of a PDF, where they can be counted. */
  readonly pages?: number
  /** The name of its file. */
  readonly name?: string
  /** The run in whose tree the blob is, where that is another's. */
  readonly run?: string
}

export type AttachmentType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf"

/** A picture or a PDF as tools and callers give it. Its type is told by its bytes. */
export interface AttachmentData {
  /** The bytes, or these as base64. */
  readonly data: Uint8Array | string
  readonly mediaType?: string
  /** The name of its file. */
  readonly name?: string
}

export type Message =
  | { readonly role: "user"; readonly text: string; readonly attachments?: readonly Attachment[] }
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
      readonly attachments?: readonly Attachment[]
    }

/** Tokens as the provider counts them. What is missing was not told, or has no known price: it is never zero. */
export interface Usage {
  /** All that was read, with what came from the provider's cache. */
  readonly inputTokens?: number
  /** All that was written, with what was thought. */
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
  /** In US dollars. */
  readonly cost?: number
  /** In a total of which a part is unknown: the sum of what is known. */
  readonly atLeast?: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cachedTokens?: number
    readonly reasoningTokens?: number
    readonly cost?: number
  }
}

/** A text with something in it. */
export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

/** The texts of a map; anything else in it, or in its place, is left out. */
export const textsIn = (map: unknown): Record<string, string> =>
  isMap(map)
    ? Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => isText(entry[1])))
    : {}

/** What keys lead to in a value. */
export const valueAt = (value: Json | undefined, path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<string | number, Json>>)[key]
        : undefined,
    value,
  )
