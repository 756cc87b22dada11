import { editDistance } from "../errors.ts"

/** The known names that a wrong one must have meant: the same but for case and separators, else a slip or two away. */
export function nearNames(wrong: string, known: Iterable<string>): readonly string[] {
  const word = plain(wrong)
  if (word === "") return []
  const names = [...new Set(known)]
  const same = names.filter((name) => plain(name) === word)
  if (same.length > 0) return same
  let best = word.length < 7 ? 1 : 2
  let near: string[] = []
  for (const name of names) {
    const distance = slips(word, plain(name))
    if (distance > best) continue
    if (distance < best) near = []
    best = distance
    near.push(name)
  }
  return near
}

/** How many slips lead from one word to another; swapped letters are one. Short words are too close to each other. */
function slips(word: string, other: string): number {
  if (word.length < 3 || other.length < 4 || (word.length === 3 && word[0] !== other[0])) return 3
  const distance = editDistance(word, other)
  return distance === 2 && sorted(word) === sorted(other) ? 1 : distance
}

const sorted = (word: string): string => [...word].sort().join("")

/** "Did you mean `a` or `b`?", or nothing. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? "" : ` Did you mean ${quoted(names, "or")}?`

/** "`a`, `b` and `c`"; of many only the first. */
export function quoted(names: readonly string[], word: "and" | "or", most = 8): string {
  const shown = names.slice(0, most).map((name) => `\`${name}\``)
  if (names.length > most) return `${shown.join(", ")} and ${names.length - most} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
