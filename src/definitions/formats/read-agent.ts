import path from "node:path"
import {
  type Agent,
  type AgentOrigin,
  type AgentScope,
  freezeDeeply,
  isAgentName,
  trimBody,
} from "../../agent/agent.ts"
import { fitValue, indexBySpelling } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import { type Document, readDocument, type Values } from "./document/document.ts"
import { hasDefaultTimeout } from "./fields/default-timeout.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import {
  capUnknownKeys,
  explainUnknownKey,
  makeRenameRepair,
  type UnknownKeyFinding,
} from "./fields/unknown-key.ts"
import { findKeysWithoutEffect } from "./fields/without-effect.ts"
import { detectSyntax, type Format } from "./format.ts"
import { useFormatWords } from "./format-words.ts"
import type { Locate, Problem, ProblemPlace } from "./problem.ts"
import type { ReadOptions } from "./read-options.ts"
import { takeScriptEntries } from "./script-entries.ts"
import { isSecret, isSecretKey, makeSecretProblem } from "./secret.ts"
import { type DefinitionSource, SourceFile } from "./source.ts"

/** The result of reading one file. */
export interface AgentReading {
  readonly agent: Agent | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly locate: Locate
}

/** Reads one file. Never throws: problems are reported, and there is an agent whenever its name could be read. */
export function readAgent(format: Format, source: DefinitionSource, options: ReadOptions = {}): AgentReading {
  const document = readDocument(source.text, detectSyntax(source.path), tableOf(format).keys)
  const problems = [...document.problems]
  const { values } = document
  if (!values)
    return { ...document, agent: undefined, problems: useFormatWords(format, problems, source.path) }
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
  takeScriptEntries(
    draft,
    reading,
    (part) =>
      format.fields.find(({ into, key }) => into === part && Object.hasOwn(values, key))?.key ?? "tools",
  )
  checkRequired(format, draft, values, reading)
  problems.push(...findKeysWithoutEffect(tableOf(format).idle, values, problems))
  if (hasDefaultTimeout(format, draft, values))
    draft.origin = { format: "", ...draft.origin, unsaid: ["timeout"] }
  return {
    agent: finishAgent(format, draft, source, options),
    problems: useFormatWords(format, capUnknownKeys(problems), source.path),
    repaired: document.repaired,
    locate: document.locate,
  }
}

interface Table {
  readonly required: readonly Field[]
  readonly instructions: Field | undefined
  readonly byKey: ReadonlyMap<string, Field>
  readonly keys: ReadonlySet<string>
  /** The fields that have no effect in cadre, or only for some values. */
  readonly idle: ReadonlyMap<string, Field>
  readonly unknown: Map<string, CachedFinding>
}

/** The finding about an unknown key, and the same finding with a fix that renames the key. */
interface CachedFinding extends UnknownKeyFinding {
  readonly renamed: Problem | undefined
  readonly isSecretKey: boolean
}

const tables = new WeakMap<Format, Table>()

function tableOf(format: Format): Table {
  const cached = tables.get(format)
  if (cached) return cached
  const fields = format.fields as readonly Field[]
  const byKey = indexBySpelling(fields)
  const table = {
    required: fields.filter(({ required }) => required),
    instructions: fields.find(({ into }) => into === "instructions"),
    byKey,
    keys: new Set(byKey.keys()),
    idle: new Map([...byKey].filter(([, { effect = "informs" }]) => effect !== "informs")),
    unknown: new Map<string, CachedFinding>(),
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
      reading.report(duplicateKey(key, `\`${spelling}\``))
      continue
    }
    const fit = fitValue(field.type, value)
    if ("value" in fit) field.read(draft, fit.value, reading, key)
    else {
      field.refuse?.(draft)
      reading.report(
        value === null && field.required
          ? missingField(field, { type: "key", path: [key] })
          : wrongType(field, key, value, fit.expected),
      )
    }
  }
  if (unknown) readUnknown(format, unknown, values, draft, reading)
}

/** The spelling that is read if a file has several: the format's own, else the first of its aliases. */
const spellingOf = ({ key, aliases }: Field, values: Values): string | undefined =>
  values[key] !== undefined ? key : aliases?.find((spelling) => values[spelling] !== undefined)

/** Keeps the keys that the format does not know, and reports them. */
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
  const renameCounts = countRenames(explained)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!
    const value = values[key]!
    const { problem, renamed, rename, isSecretKey } = explained[index]!
    if (isSecretKey && isSecret(key, value)) {
      report(makeSecretProblem([key]))
      continue
    }
    // Plain assignment to `__proto__` would change the prototype.
    if (key === "__proto__")
      Object.defineProperty(extensions, key, { value, enumerable: true, writable: true, configurable: true })
    else extensions[key] = value
    const field = rename === undefined ? undefined : byKey.get(rename)
    const fits =
      field &&
      renameCounts?.get(rename!) === 1 &&
      spellingOf(field, values) === undefined &&
      "value" in fitValue(field.type, value)
    report(fits ? renamed! : problem)
  }
  draft.extensions = draft.extensions
    ? { ...draft.extensions, [format.id]: extensions }
    : { [format.id]: extensions }
}

/** Counts the unknown keys that could be renamed to each known key. Undefined if there are none, as in most files. */
function countRenames(explained: readonly CachedFinding[]): ReadonlyMap<string, number> | undefined {
  let counts: Map<string, number> | undefined
  for (const { rename } of explained) {
    if (rename === undefined) continue
    counts ??= new Map()
    counts.set(rename, (counts.get(rename) ?? 0) + 1)
  }
  return counts
}

/** Caches the finding, because a folder may have thousands of files with the same unknown key. */
function unknownKey(format: Format, key: string): CachedFinding {
  const { unknown, keys } = tableOf(format)
  const cached = unknown.get(key)
  if (cached) return cached
  const { problem, rename } = explainUnknownKey(format, key, keys)
  const renamed = rename === undefined ? undefined : { ...problem, fix: makeRenameRepair(key, rename) }
  const explained = { problem, rename, renamed, isSecretKey: isSecretKey(key) }
  if (unknown.size < 1_000) unknown.set(key, explained)
  return explained
}

function wrongType(field: Field, key: string, value: Json, expected: string): Problem {
  const json = JSON.stringify(value)
  const excerpt = json.length > 60 ? `${json.slice(0, 60)}…` : json
  const own = field.messages?.type
  return {
    code: "field-type",
    severity: "error",
    message: `${own === undefined ? "" : `${own}. `}\`${key}\` must be ${expected}, but it is ${excerpt}.`,
    at: { type: "value", path: [key] },
  }
}

const duplicateKey = (key: string, other: string): Problem => ({
  code: "key-duplicate",
  severity: "error",
  message: `\`${key}\` and ${other} are two spellings of one key, and it is unclear which value is meant. Remove one of the two.`,
  at: { type: "key", path: [key] },
})

const missingField = (field: Field, at: ProblemPlace): Problem => ({
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
  const ownInstructions = draft.instructions
  if (body === undefined || (ownInstructions !== undefined && body.trim() === "")) {
    // A YAML block ends with a line end that its author did not mean.
    if (ownInstructions !== undefined) draft.instructions = trimBody(ownInstructions).instructions
    return
  }
  const field = ownInstructions?.trim() ? tableOf(format).instructions : undefined
  const key = field && spellingOf(field, values)
  if (key !== undefined)
    report({
      code: "key-duplicate",
      severity: "error",
      message: `\`${key}\` and the text below the front matter are both instructions, and it is unclear which are meant. Remove one of the two.`,
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
      message: `${own.replace(/\.$/, "")}. A name must have 1 to 128 printable characters, without slashes, line breaks or invisible characters. Names are shown, looked up and used in commands.`,
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

const nameValue: ProblemPlace = { type: "value", path: ["name"] }

function checkRequired(format: Format, draft: Draft, values: Values, { report }: FieldReading): void {
  for (const field of tableOf(format).required)
    if (values[field.key] === undefined && !field.aliases?.some((key) => values[key] !== undefined))
      report(missingField(field, { type: "start" }))
  if ((draft.instructions ?? "") !== "" || draft.pipeline) return
  report({
    code: "instructions-missing",
    severity: format.instructions === "required" ? "error" : "warning",
    message:
      format.instructions === "required"
        ? "missing required field: instructions. The text below the frontmatter is the agent's system prompt."
        : "The file has no instructions: this agent would run with an empty system prompt.",
    at: { type: "body" },
  })
}

function finishAgent(
  format: Format,
  draft: Draft,
  source: DefinitionSource,
  { scope }: ReadOptions,
): Agent | undefined {
  const { name, instructions, origin } = draft
  if (name === undefined || (format.instructions === "required" && !instructions && !draft.pipeline))
    return undefined
  draft.description ??= ""
  draft.instructions ??= ""
  draft.tools ??= emptyParts.tools
  draft.rules ??= emptyParts.rules
  draft.limits ??= emptyParts.limits
  draft.variables ??= emptyParts.variables
  draft.origin = originOf(format.id, source, scope, origin)
  return freezeDeeply(draft as Agent)
}

/** Sets keys one by one, because spreads would take longer than everything else here. */
function originOf(
  format: string,
  source: DefinitionSource,
  scope: AgentScope | undefined,
  read: AgentOrigin | undefined,
): AgentOrigin {
  const file = source.path
  const origin: { -readonly [Key in keyof AgentOrigin]: AgentOrigin[Key] } =
    scope === undefined ? { format, file } : { format, scope, file }
  if (source instanceof SourceFile) defineHash(origin, source)
  if (read?.margins) origin.margins = freezeDeeply(read.margins)
  if (read?.unsaid) origin.unsaid = freezeDeeply(read.unsaid)
  // `freezeDeeply` of the agent looks at every value, which would compute the hash.
  return Object.freeze(origin)
}

const sourceFile = Symbol("source file")

/** Every origin has the same getter, because a getter of its own would give each a shape of its own. */
const lazyHash: PropertyDescriptor & ThisType<{ readonly [sourceFile]: SourceFile }> = {
  get() {
    return this[sourceFile].hash
  },
  enumerable: true,
}

function defineHash(origin: AgentOrigin, source: SourceFile): void {
  Object.defineProperty(origin, sourceFile, { value: source })
  Object.defineProperty(origin, "hash", lazyHash)
}

const noTools = { mode: "inherit", allow: [], deny: [] } as const

/** Shared by every agent whose file does not set these parts. */
const emptyParts = freezeDeeply({ tools: noTools, rules: [], limits: {}, variables: {} } as const)
