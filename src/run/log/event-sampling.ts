import type { ModelError } from "../../agent/model.ts"
import type { SamplingReply, SamplingRequest } from "../../agent/sampling.ts"
import type { TokenUsage } from "../../ground/message.ts"
import type { ModelStart } from "./event-model.ts"

/** The events of a program that asks for a reply of the run's model in the middle of a call. */

/** A call waits for a reply of the model. The words of the request are those of the program. */
export interface SamplingAsk {
  readonly type: "sampling-ask"
  readonly call: string
  readonly request: SamplingRequest
}

/** The model is about to be asked for the program. The same event reserves the most that the request may cost. */
export interface SamplingStart {
  readonly type: "sampling-start"
  readonly call: string
  readonly attempt: number
  readonly model: string
  readonly reserved: ModelStart["reserved"]
}

/** A failed attempt that will be repeated. */
export interface SamplingRetry {
  readonly type: "sampling-retry"
  readonly call: string
  readonly attempt: number
  readonly model: string
  readonly notBefore: number
  /** For a resumed run: it repeats the attempt until this time, however often that is. */
  readonly until?: number
  /** The host that serves the model. */
  readonly host?: string
  readonly error: ModelError
  readonly usage?: TokenUsage
}

/** The reply that the program gets, or the reason why it gets none. */
export interface SamplingEnd {
  readonly type: "sampling-end"
  readonly call: string
  readonly reply: SamplingReply
  /** The model that was asked, and its usage. Absent: it was not asked. */
  readonly model?: string
  readonly usage?: TokenUsage
  /** The failure of the model, in the provider's words. The program does not see it. */
  readonly error?: ModelError
}
