import { editDistance } from "./errors.ts"

/** A restriction of an agent, and the words for it. */
interface Restriction {
  /** The keys for it, in one format or another. With a dot: inside a map. */
  readonly means: readonly string[]
  /** Other words for the very same value. */
  readonly synonyms?: readonly string[]
  /** Words for something similar: in another unit, of another shape, or wider or narrower. */
  readonly related?: readonly string[]
  /** One more letter at the end may be a unit. */
  readonly measured?: true
  /** The restriction bounds how long or how much an agent works, and not what it may do. */
  readonly bounds?: "work"
}

/** The resemblance of a key to a restricting one. */
export interface Resemblance extends Restriction {
  /** 0: one of its words. 1 or 2: so many slips away from one. */
  readonly distance: number
  /** A value would mean the same under the other key. */
  readonly same: boolean
}

/**
 * Restrictions of an agent, in the words of all hosts. If such a key of a file is ignored, the agent has more
 * rights than intended.
 */
const restrictions: readonly Restriction[] = [
  {
    means: ["tools", "allowed_tools"],
    synonyms: [
      "tool",
      "tools",
      "allowedtools",
      "allowtools",
      "toolsallow",
      "toolallowlist",
      "toolsallowlist",
      "allowlist",
      "toolsallowed",
      "enabledtools",
      "availabletools",
      "grantedtools",
      "includetools",
      "includedtools",
    ],
    related: ["allow", "tooluse", "toolset", "toolsets", "unblockedtools"],
  },
  {
    means: ["disallowedTools", "blocked_tools", "toolsDeny"],
    synonyms: [
      "disallowedtools",
      "disallowtools",
      "unallowedtools",
      "deniedtools",
      "denytools",
      "toolsdeny",
      "blockedtools",
      "blocktools",
      "disabledtools",
      "excludetools",
      "excludedtools",
      "forbiddentools",
      "tooldenylist",
      "toolsdenylist",
      "denylist",
    ],
    related: ["deny"],
  },
  { means: ["allowed_mcp_tools"], related: ["allowedmcptools"] },
  { means: ["blocked_mcp_tools"], related: ["blockedmcptools", "disallowedmcptools", "deniedmcptools"] },
  {
    means: ["permissionMode"],
    related: ["permissionmode", "permission", "permissions", "approvalmode", "approvalpolicy"],
  },
  { means: ["isolation", "sandbox"], related: ["isolation", "sandbox", "sandboxmode", "readonly"] },
  {
    means: ["maxTurns", "max_turns", "limits.maxTurns"],
    synonyms: ["maxturns", "maxturn", "maxsteps", "maxiterations", "turnlimit"],
    bounds: "work",
  },
  {
    means: ["timeout", "limits.timeout"],
    related: ["timeout", "timeoutmins", "timeoutseconds", "timeoutms", "maxtime", "maxseconds", "timelimit"],
    measured: true,
    bounds: "work",
  },
  { means: ["limits", "budget"], related: ["limits", "limit", "budget"], bounds: "work" },
  { means: ["limits.maxTokens"], related: ["maxtokens", "tokenlimit"], bounds: "work" },
  { means: ["limits.maxCost"], related: ["maxcost", "costlimit"], bounds: "work" },
]

/** The restriction that a key is another word for, or a slip of one. Undefined: the key restricts nothing. */
export function resemblesRestriction(key: string): Resemblance | undefined {
  // The files of a folder have the same few keys.
  if (resemblances.has(key)) return resemblances.get(key)
  const resemblance = compare(key)
  if (resemblances.size >= mostCompared) resemblances.clear()
  if (key.length <= longestCompared) resemblances.set(key, resemblance)
  return resemblance
}

const resemblances = new Map<string, Resemblance | undefined>()
const [mostCompared, longestCompared] = [1_000, 100]

function compare(key: string): Resemblance | undefined {
  const word = toPlainKey(key)
  const restriction = vocabulary().meanings.get(word)
  if (restriction) return { ...restriction, distance: 0, same: restriction.synonyms?.includes(word) ?? false }
  const close = findClosestWord(word, vocabulary())
  return close && { ...close.meaning, distance: close.distance, same: false }
}

/** The spelling without case and separators. */
export const toPlainKey = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** Words in plain spelling to compare with, each with its meaning. */
export interface Vocabulary<Meaning> {
  readonly meanings: ReadonlyMap<string, Meaning>
  /** Each word with its letters, which are enough to tell most words apart. */
  readonly words: readonly { readonly word: string; readonly letters: number }[]
}

export function createVocabulary<Meaning>(
  meanings: Iterable<readonly [string, Meaning]>,
): Vocabulary<Meaning> {
  const byWord = new Map(meanings)
  return { meanings: byWord, words: [...byWord.keys()].map((word) => ({ word, letters: lettersOf(word) })) }
}

/** The word that a plain spelling is a slip of: by one letter in a short word, by two in a long one. */
export function findClosestWord<Meaning>(
  spelling: string,
  { meanings, words }: Vocabulary<Meaning>,
): { readonly meaning: Meaning; readonly word: string; readonly distance: number } | undefined {
  const letters = lettersOf(spelling)
  let best: { word: string; distance: number } | undefined
  for (const { word, letters: others } of words) {
    const shorter = Math.min(spelling.length, word.length)
    const allowed = shorter < 4 ? 0 : shorter < 7 ? 1 : 2
    if (Math.abs(spelling.length - word.length) > allowed || isOpposite(spelling, word)) continue
    if (count(letters & ~others) > allowed || count(others & ~letters) > allowed) continue
    const distance = editDistance(spelling, word)
    if (distance <= allowed && distance < (best?.distance ?? 9)) best = { word, distance }
  }
  return best && { ...best, meaning: meanings.get(best.word)! }
}

/** True for a word that is as close as a slip, but means the opposite. */
const isOpposite = (spelling: string, word: string): boolean =>
  spelling === `un${word}` || (spelling.startsWith("min") && word.startsWith("max"))

/**
 * A bit for each letter that occurs. Digits share bits with letters, which only makes two words look more
 * alike.
 */
function lettersOf(word: string): number {
  let letters = 0
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) % 32)
  return letters
}

function count(bits: number): number {
  let remaining = bits
  let ones = 0
  for (; remaining !== 0; ones++) remaining &= remaining - 1
  return ones
}

let words: Vocabulary<Restriction> | undefined

/** Made when the first key is compared: a program with all agents in code compares none. */
function vocabulary(): Vocabulary<Restriction> {
  words ??= createVocabulary(
    restrictions.flatMap((restriction) =>
      [...(restriction.synonyms ?? []), ...(restriction.related ?? [])].map(
        (word) => [word, restriction] as const,
      ),
    ),
  )
  return words
}
