import type { Agent } from "../../../agent/agent.ts"
import type { Key } from "../../../ground/keys.ts"
import type { Json } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { Path } from "../document/yaml.ts"
import type { Report } from "../problem.ts"
import type { ReadOptions } from "../read-options.ts"

/** An agent that is being read. */
export type Draft = { -readonly [Key in keyof Agent]?: Agent[Key] }

/**
 * One key of a format: what may stand there, where it goes in an agent and how it is written back. Reading, writing,
 * the JSON Schema for editors, the reference page and suggestions for wrong keys all come from this.
 */
export interface Field<Value extends Json = Json> extends Key {
  readonly required?: "required"
  /** The part of the agent it is read into, with dots, for findings about that part. */
  readonly into?: string
  /** Further parts that come from inside its value, each with the way there. */
  readonly parts?: { readonly [part: string]: Path }
  /** What holds where it is left out, in words. */
  readonly otherwise?: string
  /** Where nothing acts on it, or on some of it. `informs`: it is a note from which nobody expects more. Undefined: something does. */
  readonly effect?: "informs" | readonly NoEffect[]
  /** How the format's own tool begins to say that it is left out, or that its value is of a wrong type. */
  readonly messages?: { readonly missing?: string; readonly type?: string }
  /** Puts a value of the right type into the agent. `key` is the spelling that the file has. */
  read(draft: Draft, value: Value, reading: FieldReading, key?: string): void
  /** The value is of a wrong type: where leaving it out would grant more than it could have meant. */
  refuse?(draft: Draft): void
  /** Undefined: the agent has nothing to say here. */
  write(agent: Agent, writing: Writing): Json | undefined
}

/** A key, or a part of its value, that is read and kept and that nothing acts on. */
export interface NoEffect {
  /** The reason, and what there is instead: the rest of a sentence. */
  readonly why: string
  /** `warning`: it would have decided what the agent may do, or who gets its data. */
  readonly severity: "warning" | "info"
  /** The code of the finding, where it has one of its own. */
  readonly code?: string
  /** The key inside the value that this is about; left out, the whole value. */
  readonly inner?: string
  /** The values that this is about; left out, all. Blank ones never are. */
  readonly when?: (value: Json, values: Values) => boolean
}

/** What a field may know about the file it is written into. */
export interface Writing {
  readonly path: string
  readonly options: ReadOptions
}

/** What a field may know about the rest of its file. */
export interface FieldReading {
  readonly path: string
  readonly options: ReadOptions
  readonly report: Report
}
