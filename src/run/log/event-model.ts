import type { ModelError, ModelReply } from "../../agent/model.ts"
import type { AttachmentType, Json, TokenUsage } from "../../ground/message.ts"
import type { AskedCall } from "./event-tools.ts"

/** The events that a run records about its model. */

export interface ModelStart {
  readonly type: "model-start"
  readonly turn: number
  readonly attempt: number
  readonly model: string
  readonly closing?: true
  /** Attachments that this model is not shown. Each is recorded once. */
  readonly unseen?: readonly UnseenAttachment[]
  readonly reserved: { readonly inputTokens: number; readonly outputTokens: number; readonly cost?: number }
}

/** A picture or PDF of the history that a model is not shown. */
export interface UnseenAttachment {
  /** The hash of its content, which names it in the store. */
  readonly blob: string
  /** The type of its content. */
  readonly mediaType: AttachmentType
  /** The name of its file. Absent: it is unknown. */
  readonly name?: string
  /**
   * `type`: the model cannot read files of this type. `size`: newer attachments fill the request. `gone`: the
   * content is no longer in the store.
   */
  readonly why: "type" | "size" | "gone"
}

/** A failed attempt that will be repeated. */
export interface ModelRetry {
  readonly type: "model-retry"
  readonly turn: number
  readonly attempt: number
  readonly notBefore: number
  /** For a resumed run: it repeats the attempt until this time, however often that is. */
  readonly until?: number
  /** The host that serves the model. */
  readonly host?: string
  readonly error: ModelError
  readonly usage?: TokenUsage
}

/** A run could not ask its model and waits to ask again. Times are in milliseconds since 1970. */
export interface ModelWait {
  /** The host that serves the model, or the model's id where no host is known. */
  readonly for: string
  /** The failure of the last attempt, in the provider's words. */
  readonly reason: string
  /** The number of attempts for this reply so far. */
  readonly attempt: number
  /** The time of the next attempt. */
  readonly next: number
  /** The time at which the run gives up. Absent: the number of attempts decides. */
  readonly until?: number
}

/** The wait that a repeated attempt means for its run. */
export const toModelWait = (
  { host, error, attempt, notBefore, until }: ModelRetry,
  model: string,
): ModelWait => ({
  for: host ?? model,
  reason: error.message,
  attempt,
  next: notBefore,
  ...(until !== undefined && { until }),
})

/** A model failed for good before any tool had run, so the run asks the next model of its list. */
export interface ModelFallback {
  readonly type: "model-fallback"
  readonly turn: number
  readonly attempt: number
  readonly from: string
  readonly error: ModelError
  readonly usage?: TokenUsage
}

/** The history did not fit, so the model is asked to summarise the older part of it. */
export interface CompactionStart {
  readonly type: "compaction-start"
  readonly turn: number
  readonly attempt: number
  readonly model: string
  readonly reserved: ModelStart["reserved"]
}

/** The history was shortened. With an `error`, it was not. */
export interface CompactionEnd {
  readonly type: "compaction-end"
  readonly turn: number
  readonly attempt: number
  /** Shortened tool results, each with its call and its remaining text. */
  readonly results: readonly { readonly call: string; readonly text: string }[]
  /** The text that replaces this many messages after the first one. */
  readonly summary?: { readonly text: string; readonly replaces: number }
  readonly usage?: TokenUsage
  readonly error?: ModelError
}

export interface ModelEnd {
  readonly type: "model-end"
  readonly turn: number
  readonly attempt: number
  readonly text: string
  readonly calls: readonly AskedCall[]
  readonly usage: TokenUsage
  readonly stop: ModelReply["stop"]
  /** The provider's own finish reason, where the reply is incomplete. */
  readonly finish?: string
  /** The reply was cut off after it had begun this many calls. They do not run. */
  readonly cutCalls?: number
  readonly reported?: string
  /** The model that the run asked for, where the provider reports another one. */
  readonly asked?: string
  /**
   * Data that the next request must send back to the provider, as a reference to its blob. Older logs have
   * the data itself here.
   */
  readonly provider?: Json
  /**
   * A fingerprint of the turn's calls, for finding repeated turns. Absent when the turn called only pollers.
   */
  readonly signature?: string
  readonly error?: ModelError
}
