import type { Json } from "../ground/message.ts"

/** A request of a foreign program for one reply of the run's model, in the middle of a tool call. */
export interface SamplingRequest {
  /** The program that asks, in our words, such as `the MCP server docs`. */
  readonly from: string
  /** The program's own instructions for the model, unchecked. */
  readonly system?: string
  /** The program's own words, unchecked. */
  readonly messages: readonly SamplingMessage[]
  /** The most tokens that the reply should have. */
  readonly maxTokens: number
  /** Texts that end the reply. They are not part of it. */
  readonly stopSequences?: readonly string[]
  /** The bounds that the user sets for this program. */
  readonly allowed: SamplingBounds
  /** `process`: the reply is useless once the process has died. `log`: the call can go on in another one. */
  readonly lasts: "log" | "process"
  /** The data that the tool needs to continue. The log keeps it. */
  readonly state?: Json
}

/** One message of such a request. */
export interface SamplingMessage {
  /** The side that says it. */
  readonly role: "user" | "assistant"
  /** Its words. */
  readonly text: string
}

/** The bounds for the requests that a program has in one run. */
export interface SamplingBounds {
  /** The most requests. */
  readonly requests: number
  /** Tokens read and written, over all requests. */
  readonly tokens: number
}

/** The reply of the model, or the reason why there is none. */
export type SamplingReply =
  | { readonly type: "reply"; readonly text: string; readonly model: string; readonly stop: SamplingStop }
  | { readonly type: "refused"; readonly reason: string }

/** The reason why a reply ended: by itself, at its greatest length, or at a stop sequence. */
export type SamplingStop = "end" | "length" | "sequence"
