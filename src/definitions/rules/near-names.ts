import { editDistance } from "../../ground/errors.ts"
import type { RuleFacts } from "./rule.ts"
import { shorten } from "./shorten.ts"

/** A collection of known names, prepared for comparison with many wrong names. */
export interface KnownNames {
  /** All names in order, without duplicates. */
  readonly sorted: readonly string[]
  /** The known names that differ only in case and separators; if there are none, those with one or two typos. */
  near(wrong: string, except?: string): readonly string[]
}

/** Longer names are not compared: they are not real names, and a guess would be random. */
const longestName = 200

/** The limit of comparisons for one collection of names. After that, wrong names get no more suggestions. */
const comparisons = 20_000_000

export function indexNames(allNames: Iterable<string>): KnownNames {
  const names = [...new Set(allNames)]
  let remaining = comparisons
  let tables: Tables | undefined
  let sorted: readonly string[] | undefined
  return {
    get sorted() {
      sorted ??= names.toSorted()
      return sorted
    },
    near(wrong, except) {
      if (wrong.length > longestName) return []
      const word = plain(wrong)
      if (word === "") return []
      tables ??= tablesOf(names)
      const same = (tables.byWord.get(word) ?? []).filter((name) => name !== except)
      if (same.length > 0) return same
      const letters = lettersOf(word)
      let best = word.length < 7 ? 1 : 2
      let near: Known[] = []
      for (let length = word.length - 2; length <= word.length + 2; length++)
        for (const other of tables.byLength.get(length) ?? []) {
          if (--remaining < 0) return []
          if (other.name === except || differing(letters, other.letters) > 4) continue
          remaining -= word.length * word.length
          const distance = slips(word, other.word)
          if (distance > best) continue
          if (distance < best) near = []
          best = distance
          near.push(other)
        }
      return near.sort((one, other) => one.index - other.index).map(({ name }) => name)
    },
  }
}

/** Caches the names for all agents that are checked together. */
export function createNamesCache(
  names: (surroundings: RuleFacts) => Iterable<string>,
): (surroundings: RuleFacts) => KnownNames {
  const cache = new WeakMap<RuleFacts, KnownNames>()
  return (surroundings) => {
    const before = cache.get(surroundings)
    if (before) return before
    const made = indexNames(names(surroundings))
    cache.set(surroundings, made)
    return made
  }
}

interface Known {
  readonly name: string
  readonly word: string
  readonly letters: number
  readonly index: number
}

interface Tables {
  readonly byWord: ReadonlyMap<string, readonly string[]>
  readonly byLength: ReadonlyMap<number, readonly Known[]>
}

function tablesOf(names: readonly string[]): Tables {
  const byWord = new Map<string, string[]>()
  const byLength = new Map<number, Known[]>()
  for (const [index, name] of names.entries()) {
    if (name.length > longestName) continue
    const word = plain(name)
    const same = byWord.get(word)
    if (same) same.push(name)
    else byWord.set(word, [name])
    const entry = { name, word, letters: lettersOf(word), index }
    const long = byLength.get(word.length)
    if (long) long.push(entry)
    else byLength.set(word.length, [entry])
  }
  return { byWord, byLength }
}

/** One bit for each letter that occurs. Comparing these bits is enough to tell most words apart. */
function lettersOf(word: string): number {
  let letters = 0
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) % 32)
  return letters
}

function differing(one: number, other: number): number {
  let bits = one ^ other
  let count = 0
  for (; bits !== 0; count++) bits &= bits - 1
  return count
}

/** The number of typos between two words; two swapped letters are one typo. Very short words always count as different. */
function slips(word: string, other: string): number {
  if (word.length < 3 || other.length < 4 || (word.length === 3 && word[0] !== other[0])) return 3
  const distance = editDistance(word, other)
  return distance === 2 && sortedLetters(word) === sortedLetters(other) ? 1 : distance
}

const sortedLetters = (word: string): string => [...word].sort().join("")

/** "Did you mean `a` or `b`?", or an empty text. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? "" : ` Did you mean ${quoteNames(names, "or")}?`

/** "`a`, `b` and `c`"; of a long list, the first 8 and the number of the rest. */
export function quoteNames(names: readonly string[], word: "and" | "or", total = names.length): string {
  const most = 8
  const first = names.slice(0, most).map((name) => `\`${shorten(name)}\``)
  if (total > most) return `${first.join(", ")} and ${total - most} more`
  return first.length < 2 ? first.join("") : `${first.slice(0, -1).join(", ")} ${word} ${first.at(-1)}`
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
