import { isMap, type Json } from "../../../ground/message.ts"
import { resemblesRestriction } from "../../../ground/restricting.ts"
import { type Entry, isTextOfKeys, splitEntries } from "./entries.ts"
import { mendText, writeText } from "./mend-text.ts"
import { isProse } from "./prose.ts"
import { readYaml, refusedByOthers, type YamlResult } from "./yaml.ts"

/** One piece of a text put in place of another. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Mends what people get wrong in front matter: an unquoted value with `: ` in it, text that goes on at column 0,
 * `tools: *`, a quote inside quotes. Only top-level entries are touched, and only those that do not read by themselves.
 * Undefined when the result would still not read.
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

/** Comments in the middle of a text cannot stay there; they go before its key. */
function editWithComments(entry: Entry, knownKeys: ReadonlySet<string>): string | "unclear" | undefined {
  const whole = editOf(entry, knownKeys)
  if (whole === undefined || entry.comments.length === 0) return whole
  const comments = entry.comments.map(({ text }) => text).join("")
  const edit = editOf({ ...entry, text: withoutComments(entry) }, knownKeys) ?? withoutComments(entry)
  return edit === "unclear" ? edit : comments + edit
}

function withoutComments({ text, start, comments }: Entry): string {
  const edits = comments.map((line) => ({
    start: line.start - start,
    end: line.start - start + line.text.length,
    text: "",
  }))
  return applyEdits(text, edits)
}

/** What to write in place of an entry. Undefined: it reads as it is. */
function editOf(entry: Entry, knownKeys: ReadonlySet<string>): string | "unclear" | undefined {
  const { key, isTight } = entry
  const text = isTight ? entry.text.replace(":", ": ") : entry.text
  const alone = readYaml(text)
  const isRefused = alone.type === "value" && refusedByOthers(text) !== undefined
  if (isWhole(key, alone) && !isRefused) return isTight ? text : undefined
  // A line of dashes begins another document: which of the two is meant cannot be told.
  if (key === "" || /^(?:---|\.\.\.)\s*$/m.test(text)) return "unclear"
  if (alone.type === "invalid" && isDuplicate(alone.message) && !isProse(key)) return "unclear"
  if (isRefused && isWhole(key, alone)) {
    const value = (alone.value as { [key: string]: Json })[key]
    return typeof value === "string" ? writeText(key, value, text) : "unclear"
  }
  const spaced = withSpaces(text)
  if (spaced !== text && !isProse(key) && isWhole(key, readYaml(spaced))) return spaced
  return isText(key, text, knownKeys) ? mendText(key, text) : "unclear"
}

/** Whether an entry reads by itself. Running text that reads as keys does not. */
function isWhole(key: string, alone: YamlResult): alone is Extract<YamlResult, { type: "value" }> {
  if (alone.type !== "value") return false
  if (key === "") return true
  if (!isMap(alone.value) || !Object.hasOwn(alone.value, key)) return false
  if (isProse(key) && Object.keys(alone.value).length !== 1) return false
  return key !== "description" || !isTextOfKeys(alone.value[key])
}

/** Indented with spaces, which is all that YAML takes; a blank of another kind after the key is a space too. */
const withSpaces = (text: string): string =>
  text
    .replaceAll(/^[ \t\u00a0]+/gm, (blank) => blank.replaceAll("\t", "  ").replaceAll("\u00a0", " "))
    .replace(/^([^:]*:)[ \t\u00a0]+/, "$1 ")

/**
 * Whether an entry that does not read must have been meant as text. Structure in quotes would mean something else, and
 * what says what an agent may do is never guessed at: but for `*`, which many write for everything.
 */
function isText(key: string, text: string, knownKeys: ReadonlySet<string>): boolean {
  if (key === "description") return true
  const value = text.slice(text.indexOf(":") + 1).trim()
  if (/^(?:[!&]|\*[\w-]+$)/.test(value) || /^[^:]*:[ \t]*\r?\n/.test(text)) return false
  // What the format does not know has no effect: `[--all] [file]` is shown to people and read by nobody.
  if (/^[[{]/.test(value) && knownKeys.has(key)) return false
  return value === "*" || !saysAuthority(key)
}

const saysAuthority = (key: string): boolean =>
  resemblesRestriction(key) !== undefined || /hook|mcp|rule|permission|variable|workflow/i.test(key)

export const isDuplicate = (message: string): boolean => message.startsWith("duplicated mapping key")

/** What can still be read where nothing can be mended: every top-level entry that reads by itself. */
export function readableEntries(yaml: string, knownKeys: ReadonlySet<string>): Json | undefined {
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
