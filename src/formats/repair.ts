import type { Json } from "../message.ts"
import { resemblesRestriction } from "../restricting.ts"
import { readYaml } from "./yaml.ts"

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
  const edits: Edit[] = []
  for (const entry of splitEntries(yaml, knownKeys)) {
    const alone = readYaml(entry.text)
    if (alone.type === "value") continue
    if (!isText(entry)) return undefined
    edits.push({ start: entry.start, end: entry.start + entry.text.length, text: rewrite(entry) })
  }
  return edits.length > 0 && readYaml(applyEdits(yaml, edits)).type === "value" ? edits : undefined
}

/**
 * Whether an entry that does not read must have been meant as text. Structure in quotes would mean something else, and
 * what says what an agent may do is never guessed at: but for `*`, which many write for everything.
 */
function isText({ key, text }: Entry): boolean {
  if (key === "description") return true
  const value = text.slice(text.indexOf(":") + 1).trim()
  if (/^[[{!&]/.test(value) || /^[^:]*:[ \t]*\r?\n/.test(text)) return false
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

interface Entry {
  readonly key: string
  readonly start: number
  readonly text: string
}

/**
 * Cuts front matter at its top-level keys. A line such as `user: "..."` inside a description looks like one too:
 * it counts only when the format knows the key, or when nothing before it in this entry was running text.
 */
function splitEntries(yaml: string, knownKeys: ReadonlySet<string>): readonly Entry[] {
  const entries: Entry[] = []
  const seen = new Set<string>()
  let prose = false
  let at = 0
  for (const line of yaml.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const key = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?=\s|$)/.exec(line)?.[1]
    // A known key that comes twice stays a duplicate: text must not swallow it.
    // Nor may it swallow a key that would narrow the agent.
    const starts =
      key !== undefined && (knownKeys.has(key) || saysAuthority(key) || (!prose && !seen.has(key)))
    const last = entries.at(-1)
    if (starts || !last) {
      entries.push({ key: key ?? "", start: at, text: line })
      if (key !== undefined) seen.add(key)
      prose = false
    } else {
      entries[entries.length - 1] = { ...last, text: last.text + line }
      prose ||= /^[^\s#-]/.test(line)
    }
    at += line.length
  }
  return entries
}

/** The entry with its value as a quoted text or, where it has several lines, as a block. */
function rewrite({ key, text }: Entry): string {
  const ending = /\r?\n$/.exec(text)?.[0] ?? ""
  const value = text.slice(text.indexOf(":") + 1).trim()
  const plain = unquote(value)
  if (!plain.includes("\n")) return `${key}: '${plain.replaceAll("'", "''")}'${ending}`
  const lines = dedented(plain.split(/\r?\n/)).map((line) => (line.trim() === "" ? "" : `  ${line}`))
  return `${key}: |-\n${lines.join("\n")}${ending}`
}

/** Lines after the first without the indentation that they have in common. */
function dedented([first = "", ...rest]: readonly string[]): readonly string[] {
  let common = Number.POSITIVE_INFINITY
  for (const line of rest)
    if (line.trim() !== "") common = Math.min(common, line.length - line.trimStart().length)
  return [first, ...rest.map((line) => line.slice(Math.min(common, line.length)))]
}

/** Quotes that did not work as such are taken off; what was escaped for them is what it stands for. */
function unquote(value: string): string {
  const quote = value[0]
  if ((quote !== '"' && quote !== "'") || value.length < 2 || value.at(-1) !== quote) return value
  const inner = value.slice(1, -1)
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll('\\"', '"').replaceAll("\\n", "\n")
}
