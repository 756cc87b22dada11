import { isMap, type Json } from "../../../ground/message.ts"
import { resemblesRestriction } from "../../../ground/restricting.ts"
import { isTextOfKeys, splitEntries, type YamlEntry } from "./entries.ts"
import { repairText, writeTextEntry } from "./mend-text.ts"
import { isProse } from "./prose.ts"
import { findStrictError, readYaml, type YamlResult } from "./yaml.ts"

/** The replacement of one piece of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Repairs common mistakes in front matter: an unquoted value with `: ` in it, text that goes on at column 0,
 * `tools: *`, a quote inside quotes. Only top-level entries that are invalid by themselves are changed. Undefined if
 * the result would still be invalid.
 */
export function repairYaml(yaml: string, knownKeys: ReadonlySet<string>): readonly Edit[] | undefined {
  const entries = splitEntries(yaml, knownKeys)
  const edits: Edit[] = []
  for (const entry of entries) {
    const edit = editWithComments(entry, knownKeys)
    if (edit === "unclear") return undefined
    if (edit !== undefined)
      edits.push({ start: entry.start, end: entry.start + entry.text.length, text: edit })
  }
  if (edits.length === 0) return undefined
  const mended = readYaml(applyEdits(yaml, edits))
  return mended.type === "value" && isMap(mended.value) ? edits : undefined
}

/** Comments in the middle of a text cannot stay there: they move above its key. */
function editWithComments(entry: YamlEntry, knownKeys: ReadonlySet<string>): string | "unclear" | undefined {
  const whole = editOf(entry, knownKeys)
  if (whole === undefined || entry.comments.length === 0) return whole
  const comments = entry.comments.map(({ text }) => text).join("")
  const edit = editOf({ ...entry, text: withoutComments(entry) }, knownKeys) ?? withoutComments(entry)
  return edit === "unclear" ? edit : comments + edit
}

function withoutComments({ text, start, comments }: YamlEntry): string {
  const edits = comments.map((line) => ({
    start: line.start - start,
    end: line.start - start + line.text.length,
    text: "",
  }))
  return applyEdits(text, edits)
}

/** The text to write in place of an entry. Undefined: the entry is valid as it is. */
function editOf(entry: YamlEntry, knownKeys: ReadonlySet<string>): string | "unclear" | undefined {
  const { key, isTight } = entry
  const text = isTight ? entry.text.replace(":", ": ") : entry.text
  const alone = readYaml(text)
  const isRefused = alone.type === "value" && findStrictError(text) !== undefined
  if (isWhole(key, alone) && !isRefused) return isTight ? text : undefined
  // A line of dashes begins another document, and it is unclear which of the two is meant.
  if (key === "" || /^(?:---|\.\.\.)\s*$/m.test(text)) return "unclear"
  if (alone.type === "invalid" && isDuplicateKeyError(alone.message) && !isProse(key)) return "unclear"
  if (isRefused && isWhole(key, alone)) {
    const value = (alone.value as { [key: string]: Json })[key]
    return typeof value === "string" ? writeTextEntry(key, value, text) : "unclear"
  }
  const spaced = withSpaces(text)
  if (spaced !== text && !isProse(key) && isWhole(key, readYaml(spaced))) return spaced
  return isText(key, text, knownKeys) ? repairText(key, text) : "unclear"
}

/** True if an entry is valid by itself. Running text that YAML reads as keys is not. */
function isWhole(key: string, alone: YamlResult): alone is Extract<YamlResult, { type: "value" }> {
  if (alone.type !== "value") return false
  if (key === "") return true
  if (!isMap(alone.value) || !Object.hasOwn(alone.value, key)) return false
  if (isProse(key) && Object.keys(alone.value).length !== 1) return false
  return key !== "description" || !isTextOfKeys(alone.value[key])
}

/** Replaces tabs and no-break spaces, in indentation and after the key, by the spaces that YAML requires. */
const withSpaces = (text: string): string =>
  text
    .replaceAll(/^[ \t\u00a0]+/gm, (blank) => blank.replaceAll("\t", "  ").replaceAll("\u00a0", " "))
    .replace(/^([^:]*:)[ \t\u00a0]+/, "$1 ")

/**
 * True if an invalid entry must have been meant as text. A structure in quotes would mean something else. Keys that
 * decide what an agent may do are never guessed at, except for `*`, which many authors write for everything.
 */
function isText(key: string, text: string, knownKeys: ReadonlySet<string>): boolean {
  if (key === "description") return true
  const value = text.slice(text.indexOf(":") + 1).trim()
  if (/^(?:[!&]|\*[\w-]+$)/.test(value) || /^[^:]*:[ \t]*\r?\n/.test(text)) return false
  // A key that the format does not know has no effect: a hint such as `[--all] [file]` is only shown to people.
  if (/^[[{]/.test(value) && knownKeys.has(key)) return false
  return value === "*" || !saysAuthority(key)
}

const saysAuthority = (key: string): boolean =>
  resemblesRestriction(key) !== undefined || /hook|mcp|rule|permission|variable|workflow/i.test(key)

export const isDuplicateKeyError = (message: string): boolean => message.startsWith("duplicated mapping key")

/** Reads every top-level entry that is valid by itself, for YAML that cannot be repaired. */
export function readValidEntries(yaml: string, knownKeys: ReadonlySet<string>): Json | undefined {
  const values: { [key: string]: Json } = Object.create(null)
  for (const entry of splitEntries(yaml, knownKeys)) {
    const result = readYaml(entry.text)
    if (result.type === "value" && typeof result.value === "object" && !Array.isArray(result.value))
      Object.assign(values, result.value)
  }
  return Object.keys(values).length > 0 ? { ...values } : undefined
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ""
  let at = 0
  for (const edit of [...edits].sort((left, right) => left.start - right.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
