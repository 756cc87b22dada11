import type { IncomingHttpHeaders } from "node:http"
import type { ModelReply } from "../../../agent/model.ts"
import type { Json, Usage } from "../../../ground/message.ts"

export interface ServedRequest {
  /** 1 for the first request. */
  readonly number: number
  /** The same for requests that came over one connection. */
  readonly connection: number
  /** What its path says it speaks. */
  readonly protocol: "openai" | "responses" | "anthropic" | "gemini" | "unknown"
  /** With its query. */
  readonly path: string
  /** Whether it asks for a stream. */
  readonly streamed: boolean
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly [key: string]: Json }
  /** Why it was refused. */
  readonly problem?: string
  /** What of it was taken, and should not have been sent, such as a response that the provider is to store. */
  readonly notes?: readonly string[]
}

/** Tokens that a server counted. */
export type CountedUsage = Pick<Usage, "cachedTokens" | "reasoningTokens"> & {
  readonly inputTokens: number
  readonly outputTokens: number
}

export const usualTokens: CountedUsage = { inputTokens: 100, outputTokens: 10 }

export interface ScriptedAnswer {
  readonly text?: string
  /** What a model says that refuses, as OpenAI's protocols send it: apart from text. */
  readonly refusal?: string
  /** What the text is meant for, as OpenAI's responses say it: `commentary` or `final_answer`. */
  readonly phase?: string
  /** Reasoning before the text. But for chat completions it is signed, and wanted back unchanged. */
  readonly reasoning?: string
  /** Reasoning nobody may read, as Anthropic and OpenAI's responses send it. */
  readonly redacted?: string
  /**
   * Without an id, one that is unique on this server. A string is sent as it is; where a protocol sends values,
   * half a call is sent as an empty one, and by Gemini not at all.
   */
  readonly calls?: readonly { readonly tool: string; readonly arguments: Json; readonly id?: string }[]
  /** What was used, written as the protocol writes it. Default: 100 tokens read, 10 written. */
  readonly tokens?: CountedUsage
  /** The same in the protocol's own words, sent as it is. */
  readonly usage?: Json
  /** Why the answer ends, written as the protocol writes it. Default: `calls` with calls, else `end`. */
  readonly stop?: ModelReply["stop"]
  /** The same in the protocol's own word. */
  readonly finish?: string
  readonly delayMs?: number
  readonly fault?: Fault
}

export type Fault =
  /** An error answer. `retry-after` and the like go into `headers`. */
  | {
      readonly type: "status"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly error?: Json
      readonly body?: string
    }
  /** The body stops after so many bytes: as if it were complete, or with the connection. */
  | { readonly type: "cut"; readonly afterBytes: number; readonly how: "end" | "reset" }
  /** The stream ends without what ends a stream. */
  | { readonly type: "no-terminal" }
  /** An error object in the middle of a stream, or as a JSON answer with status 200. */
  | { readonly type: "error-event"; readonly error: Json }
  /** JSON that does not parse, in the middle of a stream or as the whole body. */
  | { readonly type: "garbage" }
  | { readonly type: "html" }
  /** Silence after so many bytes, broken by a ping every `pingMs`. */
  | { readonly type: "stall"; readonly afterBytes: number; readonly pingMs?: number }
  /** The body in pieces of so many bytes each. */
  | { readonly type: "pieces"; readonly bytes: number }
  /** So many bytes of a body that is valid so far. */
  | { readonly type: "flood"; readonly bytes: number }
  /** Any answer, written out. */
  | {
      readonly type: "raw"
      readonly body: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      readonly status?: number
    }
