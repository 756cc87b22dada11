import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import type { Json } from "../../ground/message.ts"
import type { Syntax, Values } from "./document/document.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import type { Locate, ProblemPlace } from "./problem.ts"

/** One file dialect. Reading, writing, schemas and reference pages all come from its table of fields. */
export interface Format {
  readonly id: string
  readonly title: string
  readonly doc: string
  readonly locations: Locations
  readonly fields: readonly Field<never>[]
  readonly name: NameRule
  /** Whether instructions are required: the text below the front matter, or the value of a field in YAML and JSON. */
  readonly instructions: "required" | "optional"
  /** The way the format's own tool treats unknown keys. */
  readonly unknownKeys: "ignored" | "warned" | "refused"
  /** `warned`: an unknown limit such as `timeout` is only a warning, because the format's own tool ignores it too. */
  readonly unknownLimits?: "warned"
  /** The key of the instructions in files without a body. Default: `instructions`. null: a field writes them. */
  readonly instructionsKey?: string | null
  /** The task of the format's own tool for an agent that is run without a task. Absent: a task is required. */
  readonly usualTask?: string
  /** Variables that are always text, even if they look like another type. */
  readonly textVariables?: readonly string[]
  /** Puts the words of the format's own tool before the usual message, by code of the finding. */
  readonly messages?: { readonly [code: string]: (message: string, file: string) => string }
  /** `refused`: repaired YAML is an error. Default: a warning. */
  readonly repairs?: "refused"
  /** The code that the format's own tool uses for every error. */
  readonly foreignCode?: string
  /** Whether findings depend on other files, such as scripts that a definition names. */
  readonly looksOutside?: true
  /** Sets the defaults of the format, before the fields are read. */
  defaults?(draft: Draft): void
  /** Checks rules across fields, and reads parts that several fields express together. */
  finish?(draft: Draft, values: Values, reading: FieldReading): void
  /** Adds values that no single field can express, after the fields are written. */
  amend?(values: { [key: string]: Json }, agent: Agent): void
}

export interface Locations {
  /** Folders below the project's and the user's own, with `/`. */
  readonly project: readonly string[]
  readonly user: readonly string[]
  readonly depth: "flat" | "nested"
  readonly extensions: readonly string[]
  /** The names of the definition files, if a folder has other files too. */
  readonly only?: RegExp
}

/** `file`: an agent without a name is named after its file (`default`), or the two names must be the `same`. */
export interface NameRule {
  readonly pattern: RegExp
  readonly message: (name: string) => string
  readonly file?: "default" | "same"
}

/** The syntax of a file by its ending. */
export function detectSyntax(file: string): Syntax {
  const ending = path.extname(file).toLowerCase()
  return ending === ".json" ? "json" : ending === ".yaml" || ending === ".yml" ? "yaml" : "markdown"
}

/**
 * Finds the place of a part of an agent in a file of this format, or the start if no key expresses it. With `locate`,
 * the first of several possible keys that the file has.
 */
export function placeOfPart(
  format: Format | undefined,
  part: string,
  index?: number,
  locate?: Locate,
): ProblemPlace {
  const places = format ? listPartPaths(format, part) : []
  const path = (locate && places.find((path) => locate({ type: "value", path }))) ?? places[0]
  if (!path) return part === "instructions" ? { type: "body" } : { type: "start" }
  return { type: "value", path: index === undefined ? path : [...path, index] }
}

type Places = readonly (readonly (string | number)[])[]

const placesByFormat = new WeakMap<Format, Map<string, Places>>()

/** Every path that may express a part. Cached, because the same few parts are looked up for every file. */
export function listPartPaths(format: Format, part: string): Places {
  const ofFormat = placesByFormat.get(format) ?? new Map<string, Places>()
  const cached = ofFormat.get(part)
  if (cached) return cached
  const paths = (format.fields as readonly Field[]).flatMap((field) => {
    const inner = field.into === part ? [] : field.parts?.[part]
    return inner ? [field.key, ...(field.aliases ?? [])].map((key) => [key, ...inner]) : []
  })
  placesByFormat.set(format, ofFormat.set(part, paths))
  return paths
}
