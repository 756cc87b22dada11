import { isMap, type Json } from "../../../ground/message.ts"
import { linesOf } from "./entry-lines.ts"
import type { Line } from "./line.ts"
import { isOtherKey } from "./other-keys.ts"
import { commentsIn, endOfProse, isNumbered, isProse, isSpeaker } from "./prose.ts"

/** One top-level key of YAML that may be broken, with everything that belongs to it. */
export interface Entry {
  readonly key: string
  readonly start: number
  /** Without the blank lines and comments after it: those stand between two keys and belong to neither. */
  readonly text: string
  /** Lines in the middle of running text that are no part of it. */
  readonly comments: readonly Line[]
  /** `key:value` without a space, which is no key to YAML. */
  readonly isTight: boolean
}

/**
 * Cuts YAML at its top-level keys, also where it does not read. A line such as `user: "..."` inside a description
 * looks like a key too: a description goes on until a key of the format, or one that would narrow the agent.
 */
export function splitEntries(yaml: string, knownKeys: ReadonlySet<string>): readonly Entry[] {
  const lines = linesOf(yaml, knownKeys)
  const entries: Entry[] = []
  for (let at = 0; at < lines.length; ) {
    const end = isProse(lines[at]!.key) ? endOfProse(lines, at, knownKeys) : endOfEntry(lines, at)
    const entry = entryOf(yaml, lines, [at, end], knownKeys)
    if (entry) entries.push(entry)
    at = end
  }
  return entries
}

/** Whether YAML that reads may have taken lines of a text for keys: `user: "…"`, or a word that is no tool's key. */
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
  // `? key` can only be YAML.
  return hasWord && !/^[ \t]*\? /m.test(yaml)
}

/** What a key that the format does not know looks like: a line of a text, a key of some tool, or any word. */
type KeyKind = "text" | "key" | "word"

/** The same few keys stand in every file of a folder. */
const kinds = new Map<string, KeyKind>()

function kindOf(key: string): KeyKind {
  const known = kinds.get(key)
  if (known) return known
  const kind = isOfText(key) ? "text" : isOtherKey(key) ? "key" : "word"
  if (kinds.size < 1_000) kinds.set(key, kind)
  return kind
}

/** Whether a map can only be a text whose lines look like keys. */
export const isTextOfKeys = (value: Json | undefined): boolean =>
  isMap(value) && Object.keys(value).some(isOfText)

const isOfText = (key: string): boolean => isSpeaker(key) || /[^\p{L}\p{N}_.$/@-]/u.test(key)

/** Of a key with a short value or a structure: text that stands where a key would makes what follows it text too. */
function endOfEntry(lines: readonly Line[], start: number): number {
  let hasText = lines[start]!.type === "text"
  let at = start + 1
  for (; at < lines.length; at++) {
    const { type, is } = lines[at]!
    if (type === "key" && (is !== "word" || !hasText)) break
    if (type === "text" && !lines[at]!.text.trimStart().startsWith("- ")) hasText = true
  }
  return at
}

function entryOf(
  yaml: string,
  lines: readonly Line[],
  [start, end]: readonly [number, number],
  knownKeys: ReadonlySet<string>,
): Entry | undefined {
  let last = end - 1
  while (last >= start && isBetween(lines[last]!)) last--
  if (last < start) return undefined
  const { start: from, key = "", isTight = false } = lines[start]!
  const { start: at, text } = lines[last]!
  const comments = isProse(key) ? commentsIn(lines.slice(start, last + 1), knownKeys) : []
  return { key, start: from, text: yaml.slice(from, at + text.length), comments, isTight }
}

const isBetween = (line: Line): boolean =>
  line.type === "blank" || (line.type === "comment" && !isNumbered(line))
