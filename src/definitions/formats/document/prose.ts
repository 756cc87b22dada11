import { nearMiss } from "../fields/near-miss.ts"
import { isSecret } from "../secret.ts"
import type { Line } from "./line.ts"
import { isOtherKey } from "./other-keys.ts"
import { readYaml } from "./yaml.ts"

/** Keys whose value is running text. */
export const isProse = (key: string | undefined): boolean =>
  key !== undefined &&
  /^(?:description|goal|purpose|when_?to_?use|(?:\w+_?)?(?:prompt|instructions))$/i.test(key)

/** Words for whoever speaks in an example. */
export const isSpeaker = (word: string): boolean =>
  /^(?:user|human|customer|client|developer|assistant|ai|claude|bot|operator|caller|visitor|student|teacher)$/i.test(
    word,
  )

/** Words that begin the lines of an example. Nobody means them as keys where somebody speaks beside them. */
const isOfDialogue = (word: string): boolean =>
  isSpeaker(word) ||
  /^(?:action|agent|answer|commentary|context|examples?|goal|inputs?|notes?|outputs?|prompt|question|re(?:quest|ply|sponse|sults?)|role|scenario|steps?|system|task|tool|when|then)$/i.test(
    word,
  )

/**
 * Where running text ends. It goes on over every line that is not plainly a key: an unquoted description over each
 * `word: …` but keys of the format, of other tools, and what only data look like.
 */
export function endOfProse(lines: readonly Line[], start: number, knownKeys: ReadonlySet<string>): number {
  let end = start + 1
  while (end < lines.length && !endsProse(lines, end)) end++
  const run = lines.slice(start + 1, end)
  const words = run.filter(({ type }) => type === "key")
  if (words.length === 0) return end
  const first = start + 1 + run.indexOf(words[0]!)
  // Below a text that is whole, a key with something indented below it is no part of the text.
  if (isStructure(lines, first) && isMapping(lines.slice(start, first))) return first
  const isWhole = isMapping(lines.slice(start, end))
  if (isWhole && isQuoted(lines[start]!)) return first
  if (isWhole && !isPlainDescription(lines[start]!)) return start + 1 + lengthOfDialogue(run)
  return start + 1 + lengthOfText(run, knownKeys)
}

/** What begins with a quote or as a block ends where YAML says. */
const isPlainDescription = ({ key, text }: Line): boolean =>
  key === "description" && /^[^:]*:[ \t]+[^\s"'|>[{&*!#]/.test(text)

/** Its writer said where it ends. */
const isQuoted = ({ text }: Line): boolean => /^[^:]*:[ \t]+["']/.test(text)

/** A heading is one only where text follows. */
function endsProse(lines: readonly Line[], at: number): boolean {
  const { is } = lines[at]!
  if (is !== "heading") return is === "known" || is === "narrowing"
  for (let next = at + 1; next < Math.min(lines.length, at + 100); next++) {
    if (lines[next]!.is === "known") return true
    if (lines[next]!.type === "text") return false
  }
  return true
}

const isStructure = (lines: readonly Line[], at: number): boolean =>
  /:\s*$/.test(lines[at]!.text) && lines[at + 1]?.type === "inner" && !isOfDialogue(lines[at]!.key!)

/** Whether the lines are keys and values as they stand. */
const isMapping = (lines: readonly Line[]): boolean =>
  lines.every(({ type }) => type !== "text") &&
  readYaml(lines.map(({ text }) => text).join("")).type === "value"

/** How many of the lines are an example, although YAML takes them for keys. */
function lengthOfDialogue(run: readonly Line[]): number {
  return untilKey(run, lastOfDialogue(run) + 1, () => true)
}

/** The last line of an example: where somebody speaks, and somebody answers or something is said about it. */
function lastOfDialogue(run: readonly Line[]): number {
  const said = run.filter(({ key }) => key !== undefined && isOfDialogue(key))
  return said.length < 2 || !said.some(({ key }) => isSpeaker(key!)) ? -1 : run.indexOf(said.at(-1)!)
}

/** How many of the lines are text: all up to the last that can be nothing else, and then up to the first key. */
function lengthOfText(run: readonly Line[], knownKeys: ReadonlySet<string>): number {
  const counts = new Map<string, number>()
  for (const { key } of run) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  if (counts.size > mostWords) return untilKey(run, 0, () => true)
  const sure = run.findLastIndex(({ type, key }) => type === "text" || (counts.get(key ?? "") ?? 0) > 1)
  const from = Math.max(sure, lastOfDialogue(run)) + 1
  return untilKey(run, from, (line, at) => isStructure(run, at) || isKey(line, knownKeys))
}

/** Nobody begins so many lines of a description with different words: these are data. */
const mostWords = 100

function untilKey(run: readonly Line[], from: number, isKey: (line: Line, at: number) => boolean): number {
  const at = run.findIndex((line, at) => at >= from && line.type === "key" && isKey(line, at))
  return at < 0 ? run.length : at
}

/** Whether a line below a description must be meant as a key, although the format has no such key. */
function isKey({ key = "", text }: Line, knownKeys: ReadonlySet<string>): boolean {
  const value = text.slice(text.indexOf(":") + 1).trim()
  if (isOtherKey(key) || /^\s*["']/.test(text) || isSecret(key, value)) return true
  if (isOfDialogue(key)) return false
  const slip = nearMiss(key, knownKeys)
  if (!/^\p{Ll}/u.test(key)) return slip?.same === true && slip.key?.toLowerCase() === key.toLowerCase()
  return slip !== undefined || /_|\p{Ll}\p{Lu}/u.test(key) || isDatum(value)
}

/** What nobody writes in a sentence. */
const isDatum = (value: string): boolean =>
  /^(?:\[.*\]|\{.*\}|true|false|null|~|[-+]?\d[\d.]*|https?:\/\/\S+)$/.test(value)

/**
 * Lines of running text that are comments: to YAML all that begin with `#` are. A heading is text where text follows
 * it, and so is what stands in an indented block.
 */
export function commentsIn(lines: readonly Line[], knownKeys: ReadonlySet<string>): readonly Line[] {
  const isBlock = /:[ \t]*[|>][-+\d]*[ \t]*(?:#.*)?\s*$/.test(lines[0]!.text)
  const said = lines.filter(({ type }) => type !== "blank" && type !== "comment")
  return lines.filter((line) => {
    if (line.type !== "comment" || isNumbered(line)) return false
    const isIndented = /^\s/.test(line.text)
    if (isIndented && isBlock) return false
    if (isNote(line.text, knownKeys)) return true
    const before = said.findLast(({ start }) => start < line.start)
    const after = said.find(({ start }) => start > line.start)
    return isIndented
      ? before?.type !== "inner" && after?.type !== "inner"
      : after?.type !== "text" && after?.type !== "inner"
  })
}

/** `#123` is a number in the text above it. */
export const isNumbered = ({ text }: Line): boolean => /^\s*#\d+\b/.test(text)

/** A note to whoever edits the file, or a key that was taken out. */
function isNote(text: string, knownKeys: ReadonlySet<string>): boolean {
  const [, word = ""] = /^\s*#+\s*([\w-]+)(?=:|\s|$)/.exec(text) ?? []
  return /^(?:TODO|FIXME|XXX|HACK)$/.test(word) || (/^\s*#+\s*[\w-]+:/.test(text) && knownKeys.has(word))
}
