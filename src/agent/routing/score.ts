import { holdsPhrase, holdsWords, type ReadText } from "./words.ts"

/** What of an agent a text may name. */
export interface Candidate {
  readonly name: string
  readonly keywords?: readonly string[]
  readonly aliases?: readonly string[]
  /** It can be named, and is never picked by words. */
  readonly hidden?: boolean
  /** Nor is one that ships: what somebody wrote for such words comes first. */
  readonly origin?: { readonly scope?: string }
}

export interface Score {
  readonly agent: string
  readonly score: number
  /** What matched: `agent name 'x'`, `keyword 'y'`. */
  readonly matches: readonly string[]
}

/** How well a text fits an agent: 3 for all words of its name, else 2 for the name as it is written, 1 for each keyword. */
export function scoreOf(candidate: Candidate, text: ReadText): Score {
  const names = [candidate.name, ...(candidate.aliases ?? [])]
  const byWords = names.find((name) => holdsWords(text, name))
  const byPhrase = byWords ?? names.find((name) => holdsPhrase(text, name))
  const keywords = distinct(candidate.keywords ?? []).filter(
    (keyword) => holdsWords(text, keyword) || holdsPhrase(text, keyword),
  )
  return {
    agent: candidate.name,
    score: (byWords !== undefined ? 3 : byPhrase !== undefined ? 2 : 0) + keywords.length,
    matches: [
      ...(byPhrase === undefined ? [] : [`agent name '${byPhrase}'`]),
      ...keywords.map((keyword) => `keyword '${keyword}'`),
    ],
  }
}

/** Each keyword once, however its letters are cased, as it was written first. */
function distinct(keywords: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const keyword of keywords.map((written) => written.trim()))
    if (!first.has(keyword.toLowerCase())) first.set(keyword.toLowerCase(), keyword)
  return [...first.values()]
}
