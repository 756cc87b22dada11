import { editDistance } from "../../ground/errors.ts"
import type { Surroundings } from "./rule.ts"
import { shown } from "./shown.ts"

/** Names that are known, ready to be compared with many wrong ones. */
export interface KnownNames {
  /** Each once, in order. */
  readonly sorted: readonly string[]
  /** The known names that a wrong one must have meant: the same but for case and separators, else a slip or two away. */
  near(wrong: string, except?: string): readonly string[]
}

/** Nobody writes longer names, and nobody can tell what they were meant to be. */
const longestName = 200

/** How much is compared for one collection of names. Whoever has more wrong names than that gets no more suggestions. */
const comparisons = 20_000_000

export function knownNames(known: Iterable<string>): KnownNames {
  const names = [...new Set(known)]
  let left = comparisons
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
          if (--left < 0) return []
          if (other.name === except || differing(letters, other.letters) > 4) continue
          left -= word.length * word.length
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

/** Names that stay the same for all agents that are checked together. */
export function knownNamesOf(
  names: (surroundings: Surroundings) => Iterable<string>,
): (surroundings: Surroundings) => KnownNames {
  const known = new WeakMap<Surroundings, KnownNames>()
  return (surroundings) => {
    const before = known.get(surroundings)
    if (before) return before
    const made = knownNames(names(surroundings))
    known.set(surroundings, made)
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
    const known = { name, word, letters: lettersOf(word), index }
    const long = byLength.get(word.length)
    if (long) long.push(known)
    else byLength.set(word.length, [known])
  }
  return { byWord, byLength }
}

/** A bit for each letter that occurs: most words are told apart by these alone. */
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

/** How many slips lead from one word to another; swapped letters are one. Short words are too close to each other. */
function slips(word: string, other: string): number {
  if (word.length < 3 || other.length < 4 || (word.length === 3 && word[0] !== other[0])) return 3
  const distance = editDistance(word, other)
  return distance === 2 && sortedLetters(word) === sortedLetters(other) ? 1 : distance
}

const sortedLetters = (word: string): string => [...word].sort().join("")

/** "Did you mean `a` or `b`?", or nothing. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? "" : ` Did you mean ${quoted(names, "or")}?`

/** "`a`, `b` and `c`"; of many only the first. */
export function quoted(names: readonly string[], word: "and" | "or", total = names.length): string {
  const most = 8
  const first = names.slice(0, most).map((name) => `\`${shown(name)}\``)
  if (total > most) return `${first.join(", ")} and ${total - most} more`
  return first.length < 2 ? first.join("") : `${first.slice(0, -1).join(", ")} ${word} ${first.at(-1)}`
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
