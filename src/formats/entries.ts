import { isMap, type Json } from "../message.ts"
import { plainKey, resemblesRestriction } from "../restricting.ts"
import { readYaml } from "./yaml.ts"

/** One top-level key of YAML that may be broken, with everything that belongs to it. */
export interface Entry {
  readonly key: string
  readonly start: number
  /** Without the blank lines and comments after it: those stand between two keys and belong to neither. */
  readonly text: string
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
    const end = isProse(lines[at]!.key) ? endOfProse(lines, at) : endOfEntry(lines, at)
    const entry = entryOf(yaml, lines, at, end)
    if (entry) entries.push(entry)
    at = end
  }
  return entries
}

/** Whether YAML that reads may have taken lines of a text for keys: `user: "…"`, or one with blanks in it. */
export const mayCutText = (value: Json, knownKeys: ReadonlySet<string>): boolean =>
  isMap(value) &&
  (isTextOfKeys(value.description) || Object.keys(value).some((key) => !knownKeys.has(key) && isOfText(key)))

/** Whether a map can only be a text whose lines look like keys. */
export const isTextOfKeys = (value: Json | undefined): boolean =>
  isMap(value) && Object.keys(value).some(isOfText)

const isOfText = (key: string): boolean => isSpeaker(key) || /[^\p{L}\p{N}_.$/@-]/u.test(key)

/** Keys whose value is running text. */
export const isProse = (key: string | undefined): boolean =>
  key !== undefined &&
  /^(?:description|goal|purpose|when_?to_?use|(?:\w+_?)?(?:prompt|instructions))$/i.test(key)

/** Words that begin the lines of an example. Nobody means them as keys where several follow a description. */
const isOfDialogue = (word: string): boolean =>
  isSpeaker(word) ||
  /^(?:context|commentary|examples?|scenario|input|output|question|answer|re(?:quest|ply|sponse)|notes?)$/i.test(
    word,
  )

const isSpeaker = (word: string): boolean =>
  /^(?:user|human|customer|developer|assistant|ai|claude|bot)$/i.test(word)

/** Keys that authors and other tools write into such files; after a description they are no part of it. */
const otherKeys: ReadonlySet<string> = new Set(
  `alwaysApply argument-hint author authors capabilities category compatibility created date date_added
  dependencies disable-model-invocation displayName display_name domain emoji enabled globs handoffs hidden homepage icon
  id infer is_background keywords label labels lastUpdated license maintainer metadata mode origin owner permalink
  priority reasoningEffort repo repository risk source status tags target team temperature title top_p triggers
  type updated url user-invocable version vibe`.split(/\s+/),
)

interface Line {
  readonly start: number
  readonly text: string
  /** `text` stands where a key would; `inner` is indented, and belongs to what is above it. */
  readonly type: "blank" | "comment" | "key" | "text" | "inner"
  readonly key?: string
  /** `known`: it ends whatever is above it. */
  readonly is?: "known" | "narrowing" | "heading" | "word"
  readonly isTight?: true
}

function linesOf(yaml: string, knownKeys: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = []
  const seen = new Set<string>()
  // The keys begin where the first of them does.
  let indent: number | undefined
  for (let start = 0; start < yaml.length; ) {
    const end = yaml.indexOf("\n", start) + 1 || yaml.length
    const text = yaml.slice(start, end)
    const content = text.trim()
    start = end
    if (content === "") lines.push({ start: end - text.length, text, type: "blank" })
    else if (content.startsWith("#") || (indent === undefined && content === "---"))
      lines.push({ start: end - text.length, text, type: "comment" })
    else {
      indent ??= text.length - text.trimStart().length
      const line = { start: end - text.length, text, ...kindOf(text, indent, knownKeys, seen) }
      if (line.key !== undefined) seen.add(line.key)
      lines.push(line)
    }
  }
  return lines
}

function kindOf(
  text: string,
  indent: number,
  knownKeys: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): Omit<Line, "start" | "text"> {
  const rest = text.slice(Math.min(indent, text.length - text.trimStart().length))
  if (/^\s/.test(rest)) return { type: "inner" }
  const key = /^(["']?)([\p{L}_][\p{L}\p{N}_.-]*)\1[ \t]*:(?=\s|$)/u.exec(rest)?.[2]
  if (key !== undefined) {
    // A known key that comes twice stays a duplicate: text must not swallow it.
    return { type: "key", key, is: knownKeys.has(key) ? "known" : narrowing(key, knownKeys) }
  }
  const tight = /^([A-Za-z_][\w-]*):(?=[^\s/:])/.exec(rest)?.[1]
  const isTight = tight !== undefined && knownKeys.has(tight) && !seen.has(tight)
  // `a:b: 1` is a key with a colon in it.
  return isTight && (isProse(tight) || !/:\s/.test(rest))
    ? { type: "key", key: tight, is: "known", isTight: true }
    : { type: "text" }
}

/**
 * Text must not swallow what would gate or narrow the agent: such a key is told to be unknown. Only a word in capitals
 * that is no key in other letters may be a heading.
 */
function narrowing(key: string, knownKeys: ReadonlySet<string>): "narrowing" | "heading" | "word" {
  const narrows =
    resemblesRestriction(key) !== undefined || /^(?:hooks?|mcp[\w-]*|rules|variables|workflows?)$/.test(key)
  if (!narrows) return "word"
  const isRespelled = [...knownKeys].some((known) => plainKey(known) === plainKey(key))
  return /^\p{Lu}/u.test(key) && !isRespelled ? "heading" : "narrowing"
}

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

/** Of running text: it goes on over every line that is not plainly a key. */
function endOfProse(lines: readonly Line[], start: number): number {
  let end = start + 1
  while (end < lines.length && !endsProse(lines, end)) end++
  const run = lines.slice(start + 1, end)
  const words = run.filter(({ type }) => type === "key")
  if (words.length === 0) return end
  const first = start + 1 + run.indexOf(words[0]!)
  // Below a text that is whole, a key with something indented below it is no part of the text.
  if (isStructure(lines, first) && isMapping(lines.slice(start, first))) return first
  return start + 1 + (isMapping(lines.slice(start, end)) ? lengthOfDialogue(run) : lengthOfText(run, words))
}

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

/** Whether the lines are keys and values as they stand: then they say what they say, and nothing is guessed. */
const isMapping = (lines: readonly Line[]): boolean =>
  lines.every(({ type }) => type !== "text") &&
  readYaml(lines.map(({ text }) => text).join("")).type === "value"

/** How many of the lines are an example, although YAML takes them for keys. */
function lengthOfDialogue(run: readonly Line[]): number {
  const said = run.filter(({ key }) => key !== undefined && isOfDialogue(key))
  if (said.length < 2 || !said.some(({ key }) => isSpeaker(key!)))
    return run.findIndex(({ type }) => type === "key")
  const after = run.slice(run.indexOf(said.at(-1)!) + 1).findIndex(({ type }) => type === "key")
  return after < 0 ? run.length : run.indexOf(said.at(-1)!) + 1 + after
}

/** How many of the lines are text, where not all of them can be keys. */
function lengthOfText(run: readonly Line[], words: readonly Line[]): number {
  const counts = new Map<string, number>()
  for (const { key } of words) counts.set(key!, (counts.get(key!) ?? 0) + 1)
  const first = run.indexOf(words[0]!)
  const mayBeKeys =
    counts.size === words.length &&
    !run.some(({ type }) => type === "text") &&
    words.every(({ key, text }) => !isOfDialogue(key!) && /^\s*\p{Ll}[^:]*:(?!\s*["'])/u.test(text))
  // A comment ends a text; a heading in the middle of one has more of it above.
  if (mayBeKeys && run.slice(0, first).some(({ type }) => type === "comment")) return first
  const isText = ({ type, key, text }: Line) => {
    if (type !== "key") return type === "text"
    const isKey = otherKeys.has(key!) || /:[ \t]+\[[^\]]*\]\s*$/.test(text)
    return !isKey || counts.get(key!)! > 1
  }
  const last = run.findLastIndex(isText)
  const next = run.findIndex(({ type }, at) => at > last && type === "key")
  return next < 0 ? run.length : next
}

function entryOf(yaml: string, lines: readonly Line[], start: number, end: number): Entry | undefined {
  let last = end - 1
  while (last >= start && isBetween(lines[last]!)) last--
  if (last < start) return undefined
  const { start: from, key = "", isTight = false } = lines[start]!
  const { start: at, text } = lines[last]!
  return { key, start: from, text: yaml.slice(from, at + text.length), isTight }
}

/** `#123` is a number in the text above it. */
const isBetween = ({ type, text }: Line): boolean =>
  type === "blank" || (type === "comment" && !/^\s*#\d+\b/.test(text))
