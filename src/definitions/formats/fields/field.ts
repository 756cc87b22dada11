import type { Agent } from "../../../agent/agent.ts"
import type { Key } from "../../../ground/keys.ts"
import type { Json } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { ReportProblem } from "../problem.ts"
import type { ReadOptions } from "../read-options.ts"

/** An agent that is being read. */
export type Draft = { -readonly [Key in keyof Agent]?: Agent[Key] }

/**
 * One key of a format: its type, the part of the agent that it is read into, and how it is written back. Reading,
 * writing, the JSON Schema for editors, the reference page and suggestions for wrong keys all come from this.
 */
export interface Field<Value extends Json = Json> extends Key {
  readonly required?: "required"
  /** The part of the agent it is read into, with dots, for findings about that part. */
  readonly into?: string
  /** More parts of the agent that come from inside the value, each with its path there. */
  readonly parts?: { readonly [part: string]: KeyPath }
  /** The default when the key is absent, in words. */
  readonly otherwise?: string
  /** The values that have no effect in cadre. `informs`: the key is only a note. Undefined: all values have an effect. */
  readonly effect?: "informs" | readonly NoEffect[]
  /** The beginnings of the messages of the format's own tool for a missing key and for a wrong type. */
  readonly messages?: { readonly missing?: string; readonly type?: string }
  /** Puts a value of the right type into the agent. `key` is the spelling in the file. */
  read(draft: Draft, value: Value, reading: FieldReading, key?: string): void
  /** Narrows the agent if the value has a wrong type and ignoring it would grant too much. */
  refuse?(draft: Draft): void
  /** Undefined: the agent has no value for this key. */
  write(agent: Agent, writing: Writing): Json | undefined
}

/** A key, or a part of its value, that is read and kept but has no effect. */
export interface NoEffect {
  /** The reason and the alternative, as the rest of a sentence. */
  readonly why: string
  /** `warning`: the key was meant to decide what the agent may do, or who gets its data. */
  readonly severity: "warning" | "info"
  /** The code of the finding. Default: `key-without-effect`. */
  readonly code?: string
  /** The key inside the value that this is about. Default: the whole value. */
  readonly inner?: string
  /** Selects the values that this is about. Default: all. Blank values are never reported. */
  readonly when?: (value: Json, values: Values) => boolean
}

/** The facts about the target file that a field may use when it is written. */
export interface Writing {
  readonly path: string
  readonly options: ReadOptions
}

/** The facts about its file that a field may use when it is read. */
export interface FieldReading {
  readonly path: string
  readonly options: ReadOptions
  readonly report: ReportProblem
}
