import { containsPhrase, containsWords, type SearchText } from "./words.ts"

/** The parts of an agent that a text may name. */
export interface RouteCandidate {
  readonly name: string
  readonly keywords?: readonly string[]
  readonly aliases?: readonly string[]
  /** The agent can be named, and is never picked by words. */
  readonly hidden?: boolean
  /** A built-in agent is never picked by words either: the user's own agents come first. */
  readonly origin?: { readonly scope?: string }
}

export interface Score {
  readonly agent: string
  readonly score: number
  /** The matches, such as `agent name 'x'` or `keyword 'y'`. */
  readonly matches: readonly string[]
}

/**
 * Scores how well a text fits an agent. All words of its name give 3, else the name as written gives 2. Each
 * keyword adds 1.
 */
export function scoreAgent(candidate: RouteCandidate, text: SearchText): Score {
  const names = [candidate.name, ...(candidate.aliases ?? [])]
  const byWords = names.find((name) => containsWords(text, name))
  const byPhrase = byWords ?? names.find((name) => containsPhrase(text, name))
  const keywords = distinct(candidate.keywords ?? []).filter(
    (keyword) => containsWords(text, keyword) || containsPhrase(text, keyword),
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

/** Each keyword once, ignoring case, in its first spelling. */
function distinct(keywords: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const keyword of keywords.map((written) => written.trim()))
    if (!first.has(keyword.toLowerCase())) first.set(keyword.toLowerCase(), keyword)
  return [...first.values()]
}
