import { isMap, type Json } from "../../../ground/message.ts"
import { classifyLines } from "./entry-lines.ts"
import type { YamlLine } from "./line.ts"
import { isOtherKey } from "./other-keys.ts"
import { endOfProse, findComments, isIssueNumber, isProse, isSpeaker } from "./prose.ts"

/** One top-level key of possibly invalid YAML, with all lines of its value. */
export interface YamlEntry {
  readonly key: string
  readonly start: number
  /** The entry without trailing blank lines and comments, which belong to no key. */
  readonly text: string
  /** Comment lines in the middle of running text. */
  readonly comments: readonly YamlLine[]
  /** `key:value` without a space, which YAML does not read as a key. */
  readonly isTight: boolean
}

/**
 * Splits YAML at its top-level keys, even if the YAML is invalid. A line such as `user: "..."` inside a description
 * looks like a key too. So a description goes on until a key of the format, or a key that would narrow the agent.
 */
export function splitEntries(yaml: string, knownKeys: ReadonlySet<string>): readonly YamlEntry[] {
  const lines = classifyLines(yaml, knownKeys)
  const entries: YamlEntry[] = []
  for (let at = 0; at < lines.length; ) {
    const end = isProse(lines[at]!.key) ? endOfProse(lines, at, knownKeys) : endOfEntry(lines, at)
    const entry = entryOf(yaml, lines, [at, end], knownKeys)
    if (entry) entries.push(entry)
    at = end
  }
  return entries
}

/** Whether valid YAML may have read lines of a text as keys: `user: "…"`, or a word that no tool uses as a key. */
export function mayCutText(yaml: string, value: Json, knownKeys: ReadonlySet<string>): boolean {
  if (!isMap(value)) return false
  if (isTextOfKeys(value.description)) return true
  let hasWord = false
  for (const key of Object.keys(value)) {
    if (knownKeys.has(key)) continue
    const kind = kindOf(key)
    if (kind === "text") return true
    if (kind === "word") hasWord = true
  }
  // Running text never has `? key`, so these words are keys.
  return hasWord && !/^[ \t]*\? /m.test(yaml)
}

/** The kinds of keys that the format does not know: a line of a text, a key of another tool, or any other word. */
type KeyKind = "text" | "key" | "word"

/** Cached, because the same few keys appear in every file of a folder. */
const kinds = new Map<string, KeyKind>()

function kindOf(key: string): KeyKind {
  const cached = kinds.get(key)
  if (cached) return cached
  const kind = isOfText(key) ? "text" : isOtherKey(key) ? "key" : "word"
  if (kinds.size < 1_000) kinds.set(key, kind)
  return kind
}

/** True if a map can only be a text whose lines look like keys. */
export const isTextOfKeys = (value: Json | undefined): boolean =>
  isMap(value) && Object.keys(value).some(isOfText)

const isOfText = (key: string): boolean => isSpeaker(key) || /[^\p{L}\p{N}_.$/@-]/u.test(key)

/** The end of an entry that is no running text. After a line of text at the level of keys, plain words are text too. */
function endOfEntry(lines: readonly YamlLine[], start: number): number {
  let hasText = lines[start]!.type === "text"
  let at = start + 1
  for (; at < lines.length; at++) {
    const { type, keyKind } = lines[at]!
    if (type === "key" && (keyKind !== "word" || !hasText)) break
    if (type === "text" && !lines[at]!.text.trimStart().startsWith("- ")) hasText = true
  }
  return at
}

function entryOf(
  yaml: string,
  lines: readonly YamlLine[],
  [start, end]: readonly [number, number],
  knownKeys: ReadonlySet<string>,
): YamlEntry | undefined {
  let last = end - 1
  while (last >= start && isBetween(lines[last]!)) last--
  if (last < start) return undefined
  const { start: from, key = "", isTight = false } = lines[start]!
  const { start: at, text } = lines[last]!
  const comments = isProse(key) ? findComments(lines.slice(start, last + 1), knownKeys) : []
  return { key, start: from, text: yaml.slice(from, at + text.length), comments, isTight }
}

const isBetween = (line: YamlLine): boolean =>
  line.type === "blank" || (line.type === "comment" && !isIssueNumber(line))
