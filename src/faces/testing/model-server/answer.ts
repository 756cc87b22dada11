import type { IncomingHttpHeaders } from "node:http"
import type { ModelReply } from "../../../agent/model.ts"
import type { Json, TokenUsage } from "../../../ground/message.ts"

/** A request that the model server received. */
export interface ServedRequest {
  /** 1 for the first request. */
  readonly number: number
  /** The number of the connection. Requests over the same connection have the same number. */
  readonly connection: number
  /** The protocol of the request's path. */
  readonly protocol: "openai" | "responses" | "anthropic" | "gemini" | "unknown"
  /** The path with its query. */
  readonly path: string
  /** True if the request asks for a stream. */
  readonly streamed: boolean
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The body exactly as it was sent. */
  readonly text: string
  /** The body as JSON. Empty: it is not a JSON object. */
  readonly body: { readonly [key: string]: Json }
  /** The reason why the request was refused. */
  readonly problem?: string
  /** Parts that were accepted but should not have been sent, such as a request to store the response. */
  readonly notes?: readonly string[]
}

/** The tokens that the server reports. */
export type CountedUsage = Pick<TokenUsage, "cachedTokens" | "reasoningTokens"> & {
  readonly inputTokens: number
  readonly outputTokens: number
}

export const usualTokens: CountedUsage = { inputTokens: 100, outputTokens: 10 }

/** One answer of a model server. It is sent in the protocol of the request. */
export interface ScriptedAnswer {
  /** The text of the answer. Default: none. */
  readonly text?: string
  /** The model's refusal, which OpenAI's protocols send separately from text. */
  readonly refusal?: string
  /** The purpose of the text in OpenAI's responses: `commentary` or `final_answer`. */
  readonly phase?: string
  /** Reasoning before the text. Except in chat completions it is signed, and must be sent back unchanged. */
  readonly reasoning?: string
  /** Encrypted reasoning, as Anthropic and OpenAI's responses send it. */
  readonly redacted?: string
  /**
   * A call without an id gets one that is unique on this server. Arguments that are a string are sent as they are. If they
   * are invalid JSON, a protocol that sends values sends an empty object, and Gemini sends no call.
   */
  readonly calls?: readonly { readonly tool: string; readonly arguments: Json; readonly id?: string }[]
  /** The usage, which is sent in the protocol's form. Default: 100 tokens read, 10 written. */
  readonly tokens?: CountedUsage
  /** The usage in the protocol's own form, sent as it is. */
  readonly usage?: Json
  /** The stop reason, which is sent in the protocol's form. Default: `calls` with calls, else `end`. */
  readonly stop?: ModelReply["stop"]
  /** The stop reason in the protocol's own word, sent as it is. */
  readonly finish?: string
  /** Milliseconds before the answer begins. Default: 0. */
  readonly delayMs?: number
  /** The fault that spoils the answer. Default: none. */
  readonly fault?: Fault
}

/** A way in which the server spoils its answer. */
export type Fault =
  /** An error answer. `retry-after` and the like go into `headers`. */
  | {
      readonly type: "status"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly error?: Json
      readonly body?: string
    }
  /** The body stops after this many bytes: `end` closes it normally, `reset` breaks the connection. */
  | { readonly type: "cut"; readonly afterBytes: number; readonly how: "end" | "reset" }
  /** The stream ends without its final event. */
  | { readonly type: "no-terminal" }
  /** An error object in the middle of a stream, or as a JSON answer with status 200. */
  | { readonly type: "error-event"; readonly error: Json }
  /** JSON that does not parse, in the middle of a stream or as the whole body. */
  | { readonly type: "garbage" }
  | { readonly type: "html" }
  /** Silence after this many bytes, except for a ping every `pingMs`. */
  | { readonly type: "stall"; readonly afterBytes: number; readonly pingMs?: number }
  /** The body is sent in pieces of this many bytes. */
  | { readonly type: "pieces"; readonly bytes: number }
  /** The server sends this many bytes that are valid so far. */
  | { readonly type: "flood"; readonly bytes: number }
  /** A complete answer, sent as it is. */
  | {
      readonly type: "raw"
      readonly body: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      readonly status?: number
    }
