import type { Json, JsonMap } from "../ground/message.ts"
import type { FormField } from "../ground/question-form.ts"

/** A question that a foreign program has for the person while a tool works for it. */
export interface ToolQuestion {
  /** The program that asks, in our words, such as `the MCP server docs`. */
  readonly from: string
  /** The program's own words, unchecked. */
  readonly text: string
  /** The values that an answer has. Absent: a yes is the whole answer. */
  readonly form?: readonly FormField[]
  /** An address that the person is to visit. Nothing opens it by itself. */
  readonly url?: string
  /** The data that the tool needs to continue. The log keeps it. */
  readonly state?: Json
}

/**
 * The answer of a person. `accept`: yes, with the values of the form. `decline`: no. `cancel`: there was no
 * answer in time, or the person gave none on purpose.
 */
export type QuestionAnswer =
  | { readonly action: "accept"; readonly content?: JsonMap }
  | { readonly action: "decline" | "cancel" }
