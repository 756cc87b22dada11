import type { Agent } from "../../../agent/agent.ts"
import { toAnyList } from "../tools/named-tool.ts"

/** The words of a description that carry meaning. */
export interface DescriptionWords {
  /** Stems of the words that carry meaning. */
  readonly words: ReadonlySet<string>
  /** Those of the words that set an agent apart: products, languages, abbreviations, and the words of its name. */
  readonly marks: ReadonlySet<string>
}

/** The number of characters that are read: a longer text says nothing more about an agent. */
const longest = 8_000

export function extractDescriptionWords({ name, description, keywords }: Agent): DescriptionWords {
  const beginning = description.slice(0, longest).replaceAll("\\n", "\n")
  const text = `${beginning.split(/<example>|\bexamples?:/i)[0]!} . ${toAnyList(keywords).slice(0, 100).join(" . ").slice(0, longest)}`
  const words = new Set<string>()
  const marks = new Set<string>()
  for (const match of text.matchAll(/[\p{L}\p{N}.][\p{L}\p{N}+#.]*/gu)) {
    const written = withoutDots(match[0])
    if (written === "" || emptyWords.has(written.toLowerCase())) continue
    const stem = stemOf(written.toLowerCase())
    words.add(stem)
    if (isProper(written, text, match.index)) marks.add(stem)
  }
  for (const word of name.toLowerCase().match(/[\p{L}\p{N}#+.]+/gu) ?? [])
    if (words.has(stemOf(word))) marks.add(stemOf(word))
  return { words, marks }
}

function withoutDots(word: string): string {
  let end = word.length
  while (end > 0 && word[end - 1] === ".") end--
  return word.slice(0, end)
}

/** True if a word is a proper name: it has capitals or digits where a sentence has none. */
function isProper(word: string, text: string, start: number): boolean {
  if (!/\p{L}/u.test(word)) return false
  if (/[#+\d]|^\./.test(word) || /.\p{Lu}/u.test(word)) return true
  if (!/^\p{Lu}/u.test(word)) return false
  let before = start - 1
  while (before >= 0 && /\s/.test(text[before]!)) before--
  return before >= 0 && !/[.!?:]/.test(text[before]!)
}

function stemOf(word: string): string {
  const stem =
    word.length > 5
      ? word.replace(/(?:ations?|ments?|ings?|ers?|ors?|ies|es|ed|s|e|y)$/, "")
      : word.replace(/(?<=..)s$/, "")
  return stem.length > 4 && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem
}

/** Words that occur in descriptions of all kinds and carry no meaning. */
const emptyWords = new Set(
  `a across advanced agent agents all also an and any are as ask asked asks assistant at based be best by can
  comprehensive deep do does e.g each elite ensure ensures etc expert expertise experts focus focused focuses focusing
  for from handle handles handling has have help helping helps how i.e if immediately in include includes including
  into invoke invoked is it its master mastering masters mastery modern more most must need needed needs new no not of
  on only or other our out over own practice practices proactive proactively professional provide provides providing
  senior should so specialised specialist specialists specialize specialized specializes specializing such task tasks
  than that the their them then there these they this to up use used user users uses using via want wants was we well
  what when where which while who will with within without work working works you your`.split(/\s+/),
)
