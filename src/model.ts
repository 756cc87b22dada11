import type { Json, Message, Usage } from "./message.ts"
import type { JsonSchema } from "./schema.ts"

/** A model that can be asked. Contract: a provider's failure is data in the reply, never a throw. */
export interface Model {
  /** The name that was resolved to, such as `openai/gpt-5`. */
  readonly id: string
  /** Per token. Without it a cost limit counts only what replies report. */
  readonly price?: { readonly input: number; readonly output: number }
  stream(request: ModelRequest, onDelta: (delta: Delta) => void): Promise<ModelReply>
}

export interface ModelRequest {
  readonly run: string
  readonly agent: string
  /** 1 for the first model call of the run. */
  readonly turn: number
  readonly attempt: number
  readonly system: string
  /** Iterate it; it is a view on shared storage and never changes under its holder. */
  readonly messages: Iterable<Message> & { readonly length: number }
  readonly tools: readonly OfferedTool[]
  /** Upper bound on the reply's tokens. Set when a token or cost limit is in force. */
  readonly maxOutputTokens?: number
  /** The same for all calls of a run until one is aborted: take back the listeners you give it. */
  readonly signal: AbortSignal
}

/** What a model is told about a tool. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

export type Delta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }

export interface ModelReply {
  readonly text: string
  readonly calls: readonly ReplyCall[]
  readonly usage: Usage
  readonly stop: "end" | "calls" | "length" | "filter" | "other"
  /** The model the provider says it ran. */
  readonly model?: string
  /**
   * What the protocol must send again and nobody else can read: kept with the message, and handed back in later
   * requests. Only JSON. A client ignores what another protocol left there.
   */
  readonly provider?: Json
  readonly error?: ModelError
}

/** A tool call as the provider sent it: nothing about it has been checked yet. */
export interface ReplyCall {
  readonly wire: string
  readonly tool: string
  readonly arguments: string
}

export interface ModelError {
  readonly kind:
    | "rate-limit"
    | "overloaded"
    | "network"
    | "timeout"
    | "rejected"
    | "overflow"
    | "protocol"
    | "aborted"
  readonly message: string
  readonly retryable: boolean
  readonly retryAfter?: number
}
