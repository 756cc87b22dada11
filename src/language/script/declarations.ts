import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** A value that a script declares as its input. */
export interface ScriptInput {
  /** The name in the script, which is also the name that a model uses. */
  readonly name: string
  /** The name in the text of the declaration, where it is another one. It is accepted as well. */
  readonly alias?: string
  readonly schema: JsonSchema
  readonly description?: string
  readonly default?: Json
  readonly required: boolean
}

/** A host function that a script declares. */
export interface ScriptExternal {
  readonly name: string
  /** The names of its parameters, in order. */
  readonly parameters: readonly string[]
  /** The place of the declaration in the text. */
  readonly start: number
  readonly end: number
}

/** A finding about a script, with its place in the text. */
export interface ScriptProblem {
  /** `E001` to `E012` and `W001` to `W004` as in Grail; `syntax` for a text that cannot be read at all, `external` for an unknown function of the host. */
  readonly code: string
  readonly severity: "error" | "warning"
  readonly message: string
  readonly start: number
  readonly end: number
}

/** The part of a script that is known without running it. */
export interface ScriptDeclarations {
  readonly description?: string
  readonly inputs: readonly ScriptInput[]
  readonly externals: readonly ScriptExternal[]
  readonly problems: readonly ScriptProblem[]
}
