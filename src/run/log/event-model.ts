import type { ModelError, ModelReply } from "../../agent/model.ts"
import type { AttachmentType, Json, Usage } from "../../ground/message.ts"
import type { AskedCall } from "./event-tools.ts"

/** What a run records of its model. */

export interface ModelStart {
  readonly type: "model-start"
  readonly turn: number
  readonly attempt: number
  readonly model: string
  readonly closing?: true
  /** Attachments that this model is not shown, each told once. */
  readonly unseen?: readonly Unseen[]
  readonly reserved: { readonly inputTokens: number; readonly outputTokens: number; readonly cost?: number }
}

export interface Unseen {
  readonly blob: string
  readonly mediaType: AttachmentType
  readonly name?: string
  /**
   * `type`: the model does not read such files. `size`: newer ones take up all that a request may hold. `gone`: its
   * content is not in the store any more.
   */
  readonly why: "type" | "size" | "gone"
}

/** An attempt that failed and will be tried again. */
export interface ModelRetry {
  readonly type: "model-retry"
  readonly turn: number
  readonly attempt: number
  readonly notBefore: number
  /** Of a run that was resumed: until then it goes on trying, however often. */
  readonly until?: number
  /** Where the model is asked. */
  readonly host?: string
  readonly error: ModelError
  readonly usage?: Usage
}

/** A run could not ask its model, and waits to ask again. Times are in milliseconds since 1970. */
export interface ModelWait {
  /** Where the model is asked, or else its id. */
  readonly for: string
  readonly reason: string
  /** How often it was asked for the same reply. */
  readonly attempt: number
  /** When it is asked again. */
  readonly next: number
  /** When it gives up, where that is a matter of time. */
  readonly until?: number
}

/** What an attempt that is made again makes a run wait for. */
export const modelWait = (
  { host, error, attempt, notBefore, until }: ModelRetry,
  model: string,
): ModelWait => ({
  for: host ?? model,
  reason: error.message,
  attempt,
  next: notBefore,
  ...(until !== undefined && { until }),
})

/** A model failed for good before any tool had run: the next one of the list is asked. */
export interface ModelFallback {
  readonly type: "model-fallback"
  readonly turn: number
  readonly attempt: number
  readonly from: string
  readonly error: ModelError
  readonly usage?: Usage
}

/** The history did not fit, and the model is asked to sum up the older part of it. */
export interface CompactionStart {
  readonly type: "compaction-start"
  readonly turn: number
  readonly attempt: number
  readonly model: string
  readonly reserved: ModelStart["reserved"]
}

/** The history was made shorter; with an `error` it was not, and stays as it is. */
export interface CompactionEnd {
  readonly type: "compaction-end"
  readonly turn: number
  readonly attempt: number
  /** Tool results by call, with the text that is left of them. */
  readonly results: readonly { readonly call: string; readonly text: string }[]
  /** What takes the place of that many messages after the first. */
  readonly summary?: { readonly text: string; readonly replaces: number }
  readonly usage?: Usage
  readonly error?: ModelError
}

export interface ModelEnd {
  readonly type: "model-end"
  readonly turn: number
  readonly attempt: number
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly usage: Usage
  readonly stop: ModelReply["stop"]
  /** The provider's own word, where the reply is not whole. */
  readonly finish?: string
  /** It was cut, and had begun so many calls, which do not run. */
  readonly cutCalls?: number
  readonly reported?: string
  /** What the provider was asked for, where it reports another model. */
  readonly asked?: string
  /** What the provider's protocol must send again, as its client gave it: the blob that holds it. Older logs have it here. */
  readonly provider?: Json
  /** What the turn asked for, as one word to compare turns by; absent when only pollers were called. */
  readonly signature?: string
  readonly error?: ModelError
}
