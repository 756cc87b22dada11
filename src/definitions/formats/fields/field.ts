import type { Agent } from "../../../agent/agent.ts"
import { listOf } from "../../../agent/agent.ts"
import { isMap, type Json } from "../../../ground/message.ts"
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
export interface Field<Value extends Json = Json> {
  readonly key: string
  readonly doc: string
  readonly type: ValueType
  readonly required?: "required"
  /** The part of the agent it is read into, with dots, for findings about that part. */
  readonly into?: string
  /** Further parts that come from inside its value, each with the way there. */
  readonly parts?: { readonly [part: string]: Path }
  /** What holds where it is left out, in words. */
  readonly otherwise?: string
  /** Where nothing acts on it, or on some of it. `informs`: it is a note from which nobody expects more. Undefined: something does. */
  readonly effect?: "informs" | readonly NoEffect[]
  /** Other spellings that the format's own tool accepts. */
  readonly aliases?: readonly string[]
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

export type ValueType =
  | { readonly type: "text"; readonly blank?: "allowed" }
  /** A list of texts, or one text with commas. */
  | { readonly type: "words" }
  | {
      readonly type: "number"
      readonly minimum?: number
      readonly maximum?: number
      readonly whole?: "whole"
    }
  | { readonly type: "flag" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "map" }
  | { readonly type: "list" }
  | { readonly type: "any" }
  | { readonly type: "either"; readonly of: readonly ValueType[] }
  /** Written out as null: a value of its own. */
  | { readonly type: "null" }

/** The value as a field takes it, or what was expected instead. */
export function fitValue(type: ValueType, value: Json): { value: Json } | { expected: string } {
  switch (type.type) {
    case "text":
      if (typeof value !== "string") return { expected: `text${quoteHint(value)}` }
      return type.blank === undefined && value.trim() === ""
        ? { expected: "text that is not empty" }
        : { value }
    case "words":
      if (typeof value === "string") return { value: listOf(value) as string[] }
      if (!Array.isArray(value)) return { expected: "a list of names, or names with commas" }
      if (!value.every((entry) => typeof entry === "string"))
        return { expected: `a list of names${quoteHint(value.find((entry) => typeof entry !== "string")!)}` }
      return { value: value.every(isTrimmed) ? value : value.map((entry) => entry.trim()) }
    case "number":
      return isInRange(type, value) ? { value } : { expected: describeNumber(type) }
    case "flag":
      return typeof value === "boolean" ? { value } : { expected: "true or false, without quotes" }
    case "choice":
      return type.of.includes(value as string)
        ? { value }
        : { expected: `one of ${type.of.filter(Boolean).join(", ")}` }
    case "map":
      return isMap(value) ? { value } : { expected: "keys and values" }
    case "list":
      return Array.isArray(value) ? { value } : { expected: "a list" }
    case "null":
      return value === null ? { value } : { expected: "null" }
    case "any":
      return { value }
    case "either": {
      const expected: string[] = []
      for (const inner of type.of) {
        const fit = fitValue(inner, value)
        if ("value" in fit) return fit
        expected.push(fit.expected)
      }
      return { expected: expected.join(", or ") }
    }
  }
}

const isTrimmed = (text: string): boolean => text.trim() === text

function isInRange(type: Extract<ValueType, { type: "number" }>, value: Json): boolean {
  if (typeof value !== "number" || !Number.isFinite(value) || (type.whole && !Number.isInteger(value)))
    return false
  return (
    value >= (type.minimum ?? Number.NEGATIVE_INFINITY) && value <= (type.maximum ?? Number.POSITIVE_INFINITY)
  )
}

function describeNumber({ minimum, maximum, whole }: Extract<ValueType, { type: "number" }>): string {
  const kind = whole ? "a whole number" : "a number"
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`
}

/** YAML reads 1.0, yes and 2026-01-01 in ways their authors do not expect. */
const quoteHint = (value: Json): string =>
  typeof value === "number" || typeof value === "boolean" ? `; put ${JSON.stringify(value)} in quotes` : ""
