import { editDistance } from "../errors.ts"

/** The known names that a wrong one must have meant: the same but for case and separators, else a slip or two away. */
export function nearNames(wrong: string, known: Iterable<string>): readonly string[] {
  const word = plain(wrong)
  if (word === "") return []
  const names = [...new Set(known)]
  const same = names.filter((name) => plain(name) === word)
  if (same.length > 0) return same
  const allowed = word.length < 4 ? 0 : word.length < 7 ? 1 : 2
  let best = allowed
  let near: string[] = []
  for (const name of names) {
    const distance = editDistance(word, plain(name))
    if (distance > best) continue
    if (distance < best) near = []
    best = distance
    near.push(name)
  }
  return allowed === 0 ? [] : near
}

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
