import type { Json, JsonMap } from "../ground/message.ts"
import type { FormField } from "../ground/question-form.ts"

/** A question that a foreign program has for the person while a tool works for it. */
export interface ToolQuestion {
  /** The program that asks, in our words, such as `the MCP server docs`. */
  readonly from: string
  /** The program's own words, which nobody here has checked. */
  readonly text: string
  /** The values that an answer has. Absent: a yes is the whole answer. */
  readonly form?: readonly FormField[]
  /** An address that the person is to visit. Nothing opens it by itself. */
  readonly url?: string
  /** What the tool needs to go on. It is kept in the log. */
  readonly state?: Json
}

/**
 * The answer of a person. `accept`: yes, with the values of the form. `decline`: no. `cancel`: nobody answered, or the
 * person left the question open for good.
 */
export type QuestionAnswer =
  | { readonly action: "accept"; readonly content?: JsonMap }
  | { readonly action: "decline" | "cancel" }
