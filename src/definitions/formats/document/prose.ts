import { findNearMiss } from "../fields/near-miss.ts"
import { isSecret } from "../secret.ts"
import type { YamlLine } from "./line.ts"
import { isOtherKey } from "./other-keys.ts"
import { readYaml } from "./yaml.ts"

/** Keys whose value is running text. */
export const isProse = (key: string | undefined): boolean =>
  key !== undefined &&
  /^(?:description|goal|purpose|when_?to_?use|(?:\w+_?)?(?:prompt|instructions))$/i.test(key)

/** Words that name a speaker in an example. */
export const isSpeaker = (word: string): boolean =>
  /^(?:user|human|customer|client|developer|assistant|ai|claude|bot|operator|caller|visitor|student|teacher)$/i.test(
    word,
  )

/** Words that begin lines of an example. In a text that also has the line of a speaker, they are never keys. */
const isOfDialogue = (word: string): boolean =>
  isSpeaker(word) ||
  /^(?:action|agent|answer|commentary|context|examples?|goal|inputs?|notes?|outputs?|prompt|question|re(?:quest|ply|sponse|sults?)|role|scenario|steps?|system|task|tool|when|then)$/i.test(
    word,
  )

/**
 * Finds the end of running text: the first line that is clearly a key. An unquoted description may contain lines such
 * as `word: …`. Such a line ends it only if `isKey` or `isStructure` finds that it must be a key.
 */
export function endOfProse(
  lines: readonly YamlLine[],
  start: number,
  knownKeys: ReadonlySet<string>,
): number {
  let end = start + 1
  while (end < lines.length && !endsProse(lines, end)) end++
  const run = lines.slice(start + 1, end)
  const words = run.filter(({ type }) => type === "key")
  if (words.length === 0) return end
  const first = start + 1 + run.indexOf(words[0]!)
  // After a complete text, a key with indented lines below it is no part of the text.
  if (isStructure(lines, first) && isMapping(lines.slice(start, first))) return first
  const isWhole = isMapping(lines.slice(start, end))
  if (isWhole && isQuoted(lines[start]!)) return first
  if (isWhole && !isPlainDescription(lines[start]!)) return start + 1 + lengthOfDialogue(run)
  return start + 1 + lengthOfText(run, knownKeys)
}

/** True for a description without quotes or a block. YAML itself says where a quoted or block value ends. */
const isPlainDescription = ({ key, text }: YamlLine): boolean =>
  key === "description" && /^[^:]*:[ \t]+[^\s"'|>[{&*!#]/.test(text)

/** Quotes say where the text ends. */
const isQuoted = ({ text }: YamlLine): boolean => /^[^:]*:[ \t]+["']/.test(text)

/** True if the text ends before this line: at a known key, or at a heading-like word without text below it. */
function endsProse(lines: readonly YamlLine[], at: number): boolean {
  const { keyKind } = lines[at]!
  if (keyKind !== "heading") return keyKind === "known" || keyKind === "narrowing"
  for (let next = at + 1; next < Math.min(lines.length, at + 100); next++) {
    if (lines[next]!.keyKind === "known") return true
    if (lines[next]!.type === "text") return false
  }
  return true
}

const isStructure = (lines: readonly YamlLine[], at: number): boolean =>
  /:\s*$/.test(lines[at]!.text) && lines[at + 1]?.type === "inner" && !isOfDialogue(lines[at]!.key!)

/** True if the lines are valid keys and values without a repair. */
const isMapping = (lines: readonly YamlLine[]): boolean =>
  lines.every(({ type }) => type !== "text") &&
  readYaml(lines.map(({ text }) => text).join("")).type === "value"

/** Counts the lines that belong to an example, although YAML reads them as keys. */
function lengthOfDialogue(run: readonly YamlLine[]): number {
  return untilKey(run, lastOfDialogue(run) + 1, () => true)
}

/** The index of the last line of an example; -1 if there is none. An example has a speaker's line and one more line. */
function lastOfDialogue(run: readonly YamlLine[]): number {
  const dialogue = run.filter(({ key }) => key !== undefined && isOfDialogue(key))
  return dialogue.length < 2 || !dialogue.some(({ key }) => isSpeaker(key!))
    ? -1
    : run.indexOf(dialogue.at(-1)!)
}

/** Counts the lines of text: up to the last sure line of text, and then until the next line that must be a key. */
function lengthOfText(run: readonly YamlLine[], knownKeys: ReadonlySet<string>): number {
  const counts = new Map<string, number>()
  for (const { key } of run) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  if (counts.size > mostWords) return untilKey(run, 0, () => true)
  const lastSure = run.findLastIndex(({ type, key }) => type === "text" || (counts.get(key ?? "") ?? 0) > 1)
  const from = Math.max(lastSure, lastOfDialogue(run)) + 1
  return untilKey(run, from, (line, at) => isStructure(run, at) || isKey(line, knownKeys))
}

/** Lines that begin with so many different words are data and not a description. */
const mostWords = 100

function untilKey(
  run: readonly YamlLine[],
  from: number,
  isKey: (line: YamlLine, at: number) => boolean,
): number {
  const at = run.findIndex((line, at) => at >= from && line.type === "key" && isKey(line, at))
  return at < 0 ? run.length : at
}

/** Whether a line below a description must be meant as a key, although the format has no such key. */
function isKey({ key = "", text }: YamlLine, knownKeys: ReadonlySet<string>): boolean {
  const value = text.slice(text.indexOf(":") + 1).trim()
  if (isOtherKey(key) || /^\s*["']/.test(text) || isSecret(key, value)) return true
  if (isOfDialogue(key)) return false
  const slip = findNearMiss(key, knownKeys)
  if (!/^\p{Ll}/u.test(key)) return slip?.same === true && slip.key?.toLowerCase() === key.toLowerCase()
  return slip !== undefined || /_|\p{Ll}\p{Lu}/u.test(key) || isDatum(value)
}

/** Values that do not appear in sentences: lists, maps, flags, numbers and addresses. */
const isDatum = (value: string): boolean =>
  /^(?:\[.*\]|\{.*\}|true|false|null|~|[-+]?\d[\d.]*|https?:\/\/\S+)$/.test(value)

/**
 * Finds the comments among lines of running text. To YAML, every line that begins with `#` is a comment. In running
 * text, a markdown heading with text below it is no comment, and an indented line of a YAML block is never one.
 */
export function findComments(
  lines: readonly YamlLine[],
  knownKeys: ReadonlySet<string>,
): readonly YamlLine[] {
  const isBlock = /:[ \t]*[|>][-+\d]*[ \t]*(?:#.*)?\s*$/.test(lines[0]!.text)
  const textLines = lines.filter(({ type }) => type !== "blank" && type !== "comment")
  return lines.filter((line) => {
    if (line.type !== "comment" || isIssueNumber(line)) return false
    const isIndented = /^\s/.test(line.text)
    if (isIndented && isBlock) return false
    if (isNote(line.text, knownKeys)) return true
    const before = textLines.findLast(({ start }) => start < line.start)
    const after = textLines.find(({ start }) => start > line.start)
    return isIndented
      ? before?.type !== "inner" && after?.type !== "inner"
      : after?.type !== "text" && after?.type !== "inner"
  })
}

/** `#123` is a number in the text, not a comment. */
export const isIssueNumber = ({ text }: YamlLine): boolean => /^\s*#\d+\b/.test(text)

/** True for a comment that is a note to the author, such as `TODO`, or a key that was commented out. */
function isNote(text: string, knownKeys: ReadonlySet<string>): boolean {
  const [, word = ""] = /^\s*#+\s*([\w-]+)(?=:|\s|$)/.exec(text) ?? []
  return /^(?:TODO|FIXME|XXX|HACK)$/.test(word) || (/^\s*#+\s*[\w-]+:/.test(text) && knownKeys.has(word))
}
