import { editDistance } from "./errors.ts"

/** Something that narrows what an agent may do, and how it is called. */
interface Restriction {
  /** The keys that say it, in one format or another. With a dot: inside a map. */
  readonly means: readonly string[]
  /** Other words for the very same value. */
  readonly synonyms?: readonly string[]
  /** Words for something of the kind: in another unit, of another shape, or more or less than it. */
  readonly related?: readonly string[]
  /** One more letter at the end may be a unit. */
  readonly measured?: true
  /** It bounds how long or how much an agent works, and not what it may do. */
  readonly bounds?: "work"
}

/** How a key resembles one that narrows. */
export interface Resemblance extends Restriction {
  /** 0: one of its words. 1 or 2: so many slips away from one. */
  readonly distance: number
  /** Whether a value would mean the same under the other key. */
  readonly same: boolean
}

/** What narrows an agent, in the words of any host: a file that says so and is not heard has more rights than it says. */
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

/** The restriction that a key is another word for, or a slip of one. Undefined: it narrows nothing. */
export function resemblesRestriction(key: string): Resemblance | undefined {
  // The files of a folder have the same few keys.
  if (compared.has(key)) return compared.get(key)
  const found = compare(key)
  if (compared.size >= mostCompared) compared.clear()
  if (key.length <= longestCompared) compared.set(key, found)
  return found
}

const compared = new Map<string, Resemblance | undefined>()
const [mostCompared, longestCompared] = [1_000, 100]

function compare(key: string): Resemblance | undefined {
  const word = plainKey(key)
  const restriction = vocabulary().meanings.get(word)
  if (restriction) return { ...restriction, distance: 0, same: restriction.synonyms?.includes(word) ?? false }
  const close = closestWord(word, vocabulary())
  return close && { ...close.meaning, distance: close.distance, same: false }
}

/** Spelling apart from case and separators. */
export const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** Words in plain spelling that others are compared with: by each, what it stands for. */
export interface Vocabulary<Meaning> {
  readonly meanings: ReadonlyMap<string, Meaning>
  /** With the letters of each: most words are told apart by these alone. */
  readonly words: readonly { readonly word: string; readonly letters: number }[]
}

export function vocabularyOf<Meaning>(meanings: Iterable<readonly [string, Meaning]>): Vocabulary<Meaning> {
  const known = new Map(meanings)
  return { meanings: known, words: [...known.keys()].map((word) => ({ word, letters: lettersOf(word) })) }
}

/** The word that a plain spelling is a slip of: by one letter in a short word, by two in a long one. */
export function closestWord<Meaning>(
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

/** As close as a slip, and the other way round. */
const isOpposite = (spelling: string, word: string): boolean =>
  spelling === `un${word}` || (spelling.startsWith("min") && word.startsWith("max"))

/** A bit for each letter that occurs. Digits share bits with letters, which only makes two words look more alike. */
function lettersOf(word: string): number {
  let letters = 0
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) % 32)
  return letters
}

function count(bits: number): number {
  let left = bits
  let ones = 0
  for (; left !== 0; ones++) left &= left - 1
  return ones
}

let words: Vocabulary<Restriction> | undefined

/** Made when the first key is compared: a program whose agents are all in code compares none. */
function vocabulary(): Vocabulary<Restriction> {
  words ??= vocabularyOf(
    restrictions.flatMap((restriction) =>
      [...(restriction.synonyms ?? []), ...(restriction.related ?? [])].map(
        (word) => [word, restriction] as const,
      ),
    ),
  )
  return words
}
