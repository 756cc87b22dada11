import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import type { Json } from "../../ground/message.ts"
import type { Syntax, Values } from "./document/document.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import type { Locate, Place } from "./problem.ts"

/** One file dialect. Its table of fields says everything that reading, writing, schemas and pages need. */
export interface Format {
  readonly id: string
  readonly title: string
  readonly doc: string
  readonly locations: Locations
  readonly fields: readonly Field<never>[]
  readonly name: NameRule
  /** Markdown: the text below the front matter. In YAML and JSON some field is read into them. */
  readonly instructions: "required" | "optional"
  /** What the format's own tool does with keys it does not know. */
  readonly unknownKeys: "ignored" | "warned" | "refused"
  /** Its own tool ignores keys such as `timeout`, so an agent runs without that limit. Default: refused. */
  readonly unknownLimits?: "warned"
  /** The key of the instructions in files that have no body, where it is not `instructions`. null: some field writes them. */
  readonly instructionsKey?: string | null
  /** What the format's own tool tells an agent that is run without a task. Absent: it wants one. */
  readonly usualTask?: string
  /** Variables that are text whatever they look like. */
  readonly textVariables?: readonly string[]
  /** By code of a finding: how the format's own tool begins to say it. The rest is what is said in every format. */
  readonly messages?: { readonly [code: string]: (message: string, file: string) => string }
  /** Whether YAML that had to be mended is an error; elsewhere it is a warning. */
  readonly repairs?: "refused"
  /** The code that the format's own tool gives every error. */
  readonly foreignCode?: string
  /** Whether findings depend on other files, such as scripts that a definition names. */
  readonly looksOutside?: true
  /** Before the fields are read: what the file may leave out. */
  defaults?(draft: Draft): void
  /** Rules across fields, and what only all of them together make up. */
  finish?(draft: Draft, values: Values, reading: FieldReading): void
  /** After the fields are written: what one field alone cannot say. */
  amend?(values: { [key: string]: Json }, agent: Agent): void
}

export interface Locations {
  /** Folders below the project's and the user's own, with `/`. */
  readonly project: readonly string[]
  readonly user: readonly string[]
  readonly depth: "flat" | "nested"
  readonly extensions: readonly string[]
  /** Where only some files of a folder are definitions. */
  readonly only?: RegExp
}

/** `file`: a file that says no name has that of the file (`default`), or the two must be the `same`. */
export interface NameRule {
  readonly pattern: RegExp
  readonly message: (name: string) => string
  readonly file?: "default" | "same"
}

/** The syntax of a file by its ending. */
export function syntaxOf(file: string): Syntax {
  const ending = path.extname(file).toLowerCase()
  return ending === ".json" ? "json" : ending === ".yaml" || ending === ".yml" ? "yaml" : "markdown"
}

/**
 * Where a part of an agent stands in a file of this format; the start, where no key says it. With `locate`, of several
 * keys that may say it the first that the file has.
 */
export function placeOf(format: Format | undefined, part: string, index?: number, locate?: Locate): Place {
  const places = format ? placesOf(format, part) : []
  const path = (locate && places.find((path) => locate({ type: "value", path }))) ?? places[0]
  if (!path) return part === "instructions" ? { type: "body" } : { type: "start" }
  return { type: "value", path: index === undefined ? path : [...path, index] }
}

type Places = readonly (readonly (string | number)[])[]

const placesByFormat = new WeakMap<Format, Map<string, Places>>()

/** Every path that may say a part. It is asked for the same few parts of every file. */
export function placesOf(format: Format, part: string): Places {
  const ofFormat = placesByFormat.get(format) ?? new Map<string, Places>()
  const known = ofFormat.get(part)
  if (known) return known
  const found = (format.fields as readonly Field[]).flatMap((field) => {
    const inner = field.into === part ? [] : field.parts?.[part]
    return inner ? [field.key, ...(field.aliases ?? [])].map((key) => [key, ...inner]) : []
  })
  placesByFormat.set(format, ofFormat.set(part, found))
  return found
}
