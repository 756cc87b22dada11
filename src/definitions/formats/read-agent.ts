import path from "node:path"
import { type Agent, deepFreeze, isAgentName, type Origin, type Scope, trimBody } from "../../agent/agent.ts"
import { bySpelling, fitValue } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import { type Document, readDocument, type Values } from "./document/document.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import { capped, type Explained, explainKey, renaming } from "./fields/unknown-key.ts"
import { isUnsaid } from "./fields/unsaid.ts"
import { keysWithoutEffect } from "./fields/without-effect.ts"
import { type Format, syntaxOf } from "./format.ts"
import { inItsWords } from "./in-its-words.ts"
import type { Locate, Place, Problem } from "./problem.ts"
import type { ReadOptions } from "./read-options.ts"
import { isSecret, isSecretKey, secretAt } from "./secret.ts"

export interface Source {
  readonly path: string
  readonly text: string
  readonly hash?: string
}

/** What became of one file. */
export interface Reading {
  readonly agent: Agent | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly locate: Locate
}

/** Reads one file. Never throws: what is wrong is reported, and the agent is there whenever its name could be read. */
export function readAgent(format: Format, source: Source, options: ReadOptions = {}): Reading {
  const document = readDocument(source.text, syntaxOf(source.path), tableOf(format).keys)
  const problems = [...document.problems]
  const { values } = document
  if (!values) return { ...document, agent: undefined, problems: inItsWords(format, problems, source.path) }
  const reading: FieldReading = {
    path: source.path,
    options,
    report: (problem) => problems.push(problem),
  }
  const draft: Draft = {}
  format.defaults?.(draft)
  readFields(format, values, draft, reading)
  readBody(format, document, draft, reading)
  checkName(format, draft, values, reading)
  format.finish?.(draft, values, reading)
  checkRequired(format, draft, values, reading)
  problems.push(...keysWithoutEffect(tableOf(format).idle, values, problems))
  if (isUnsaid(format, draft, values)) draft.origin = { format: "", ...draft.origin, unsaid: ["timeout"] }
  return {
    agent: finished(format, draft, source, options),
    problems: inItsWords(format, capped(problems), source.path),
    repaired: document.repaired,
    locate: document.locate,
  }
}

interface Table {
  readonly required: readonly Field[]
  readonly instructions: Field | undefined
  readonly byKey: ReadonlyMap<string, Field>
  readonly keys: ReadonlySet<string>
  /** Those of which something has no effect. */
  readonly idle: ReadonlyMap<string, Field>
  readonly unknown: Map<string, Known>
}

/** What is said of a key that is not known, and the same with the rename that mends it. */
interface Known extends Explained {
  readonly renamed: Problem | undefined
  readonly isSecretKey: boolean
}

const tables = new WeakMap<Format, Table>()

function tableOf(format: Format): Table {
  const known = tables.get(format)
  if (known) return known
  const fields = format.fields as readonly Field[]
  const byKey = bySpelling(fields)
  const table = {
    required: fields.filter(({ required }) => required),
    instructions: fields.find(({ into }) => into === "instructions"),
    byKey,
    keys: new Set(byKey.keys()),
    idle: new Map([...byKey].filter(([, { effect = "informs" }]) => effect !== "informs")),
    unknown: new Map<string, Known>(),
  }
  tables.set(format, table)
  return table
}

function readFields(format: Format, values: Values, draft: Draft, reading: FieldReading): void {
  const { byKey } = tableOf(format)
  let unknown: string[] | undefined
  for (const key of Object.keys(values)) {
    const field = byKey.get(key)
    const value = values[key]!
    if (!field) {
      unknown ??= []
      unknown.push(key)
      continue
    }
    const spelling = field.aliases && spellingOf(field, values)
    if (spelling !== undefined && spelling !== key) {
      reading.report(twice(key, `\`${spelling}\``))
      continue
    }
    const fit = fitValue(field.type, value)
    if ("value" in fit) field.read(draft, fit.value, reading, key)
    else {
      field.refuse?.(draft)
      reading.report(
        value === null && field.required
          ? missing(field, { type: "key", path: [key] })
          : wrongType(field, key, value, fit.expected),
      )
    }
  }
  if (unknown) readUnknown(format, unknown, values, draft, reading)
}

/** Of several spellings the one that is read: the format's own, else the first that it names. */
const spellingOf = ({ key, aliases = [] }: Field, values: Values): string | undefined =>
  [key, ...aliases].find((spelling) => values[spelling] !== undefined)

/** What the format does not know is kept, and told. */
function readUnknown(
  format: Format,
  keys: readonly string[],
  values: Values,
  draft: Draft,
  { report }: FieldReading,
): void {
  const { byKey } = tableOf(format)
  const extensions: { [key: string]: Json } = { ...draft.extensions?.[format.id] }
  const explained = keys.map((key) => unknownKey(format, key))
  const meant = meantBy(explained)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!
    const value = values[key]!
    const { problem, renamed, rename, isSecretKey } = explained[index]!
    if (isSecretKey && isSecret(key, value)) {
      report(secretAt([key]))
      continue
    }
    // A key such as __proto__ is data like any other.
    if (key === "__proto__")
      Object.defineProperty(extensions, key, { value, enumerable: true, writable: true, configurable: true })
    else extensions[key] = value
    const field = rename === undefined ? undefined : byKey.get(rename)
    const fits =
      field &&
      meant?.get(rename!) === 1 &&
      spellingOf(field, values) === undefined &&
      "value" in fitValue(field.type, value)
    report(fits ? renamed! : problem)
  }
  draft.extensions = draft.extensions
    ? { ...draft.extensions, [format.id]: extensions }
    : { [format.id]: extensions }
}

/** How often each key is what one that is not known may be renamed to. Most files have none such. */
function meantBy(explained: readonly Known[]): ReadonlyMap<string, number> | undefined {
  let meant: Map<string, number> | undefined
  for (const { rename } of explained) {
    if (rename === undefined) continue
    meant ??= new Map()
    meant.set(rename, (meant.get(rename) ?? 0) + 1)
  }
  return meant
}

/** The same key is the same finding in every file: a folder of thousands says it thousands of times. */
function unknownKey(format: Format, key: string): Known {
  const { unknown, keys } = tableOf(format)
  const known = unknown.get(key)
  if (known) return known
  const { problem, rename } = explainKey(format, key, keys)
  const renamed = rename === undefined ? undefined : { ...problem, fix: renaming(key, rename) }
  const explained = { problem, rename, renamed, isSecretKey: isSecretKey(key) }
  if (unknown.size < 1_000) unknown.set(key, explained)
  return explained
}

function wrongType(field: Field, key: string, value: Json, expected: string): Problem {
  const json = JSON.stringify(value)
  const shown = json.length > 60 ? `${json.slice(0, 60)}…` : json
  const own = field.messages?.type
  return {
    code: "field-type",
    severity: "error",
    message: `${own === undefined ? "" : `${own}. `}\`${key}\` must be ${expected}, but it is ${shown}.`,
    at: { type: "value", path: [key] },
  }
}

const twice = (key: string, other: string): Problem => ({
  code: "key-duplicate",
  severity: "error",
  message: `\`${key}\` and ${other} are two spellings of one key: which of the two is meant cannot be told. Remove one of them.`,
  at: { type: "key", path: [key] },
})

const missing = (field: Field, at: Place): Problem => ({
  code: "field-missing",
  severity: "error",
  message: `${field.messages?.missing ?? `missing required field: ${field.key}`}. ${field.doc}`,
  at,
})

function readBody(
  format: Format,
  { body, values = {} }: Document,
  draft: Draft,
  { report }: FieldReading,
): void {
  const said = draft.instructions
  if (body === undefined || (said !== undefined && body.trim() === "")) {
    // A block of YAML ends with a line end, which is no part of what its author wrote.
    if (said !== undefined) draft.instructions = trimBody(said).instructions
    return
  }
  const field = said?.trim() ? tableOf(format).instructions : undefined
  const key = field && spellingOf(field, values)
  if (key !== undefined)
    report({
      code: "key-duplicate",
      severity: "error",
      message: `\`${key}\` and the text below the front matter both say the instructions: which of the two is meant cannot be told. Remove one of them.`,
      at: { type: "key", path: [key] },
    })
  const { instructions, before, after } = trimBody(body)
  draft.instructions = instructions
  draft.origin = { format: "", margins: { before, after } }
}

function checkName(format: Format, draft: Draft, values: Values, { path: file, report }: FieldReading): void {
  const { pattern, message, file: rule } = format.name
  const stem = rule === undefined ? "" : path.basename(file).replace(/\.[^.]*$/, "")
  if (draft.name === undefined && values.name === undefined && rule === "default") draft.name = stem
  const { name } = draft
  if (name === undefined) return
  const at = nameValue
  if (!isAgentName(name)) {
    const own = pattern.test(name) ? `invalid agent name ${JSON.stringify(name)}` : message(name)
    report({
      code: "name-unsafe",
      severity: "error",
      message: `${own.replace(/\.$/, "")}. In every format a name is 1 to 128 printable characters without slashes, line breaks or invisible ones, because it is shown, looked up and used in commands.`,
      at,
    })
    draft.name = undefined as never
    return
  }
  if (!pattern.test(name)) report({ code: "name-invalid", severity: "error", message: message(name), at })
  if (rule === "same" && name !== stem)
    report({
      code: "name-not-file",
      severity: "error",
      message: `Name "${name}" must match filename "${stem}${path.extname(file)}" (without ${path.extname(file)}). Rename one of the two.`,
      at,
    })
}

const nameValue: Place = { type: "value", path: ["name"] }

function checkRequired(format: Format, draft: Draft, values: Values, { report }: FieldReading): void {
  for (const field of tableOf(format).required)
    if (values[field.key] === undefined && !field.aliases?.some((key) => values[key] !== undefined))
      report(missing(field, { type: "start" }))
  if ((draft.instructions ?? "") !== "" || draft.pipeline) return
  report({
    code: "instructions-missing",
    severity: format.instructions === "required" ? "error" : "warning",
    message:
      format.instructions === "required"
        ? "missing required field: instructions. The text below the frontmatter is the agent's system prompt."
        : "There are no instructions: this agent would run with an empty system prompt.",
    at: { type: "body" },
  })
}

function finished(format: Format, draft: Draft, source: Source, { scope }: ReadOptions): Agent | undefined {
  const { name, instructions, origin } = draft
  if (name === undefined || (format.instructions === "required" && !instructions && !draft.pipeline))
    return undefined
  draft.description ??= ""
  draft.instructions ??= ""
  draft.tools ??= unsaid.tools
  draft.rules ??= unsaid.rules
  draft.limits ??= unsaid.limits
  draft.variables ??= unsaid.variables
  draft.origin = originOf(format.id, source, scope, origin)
  return deepFreeze(draft as Agent)
}

/** Key by key, because a spread for each would take longer than all the rest. */
function originOf(
  format: string,
  { path: file, hash }: Source,
  scope: Scope | undefined,
  read: Origin | undefined,
): Origin {
  const origin: { -readonly [Key in keyof Origin]: Origin[Key] } =
    scope === undefined ? { format, file } : { format, scope, file }
  if (hash !== undefined) origin.hash = hash
  if (read?.margins) origin.margins = read.margins
  if (read?.unsaid) origin.unsaid = read.unsaid
  return origin
}

const noTools = { mode: "inherit", allow: [], deny: [] } as const

/** Shared by every agent that says nothing of it. */
const unsaid = deepFreeze({ tools: noTools, rules: [], limits: {}, variables: {} } as const)
