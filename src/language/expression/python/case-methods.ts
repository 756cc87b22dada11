import type { Method } from "../method.ts"
import { isSpace } from "../text.ts"

type StringMethod = Method<string>

/** The methods of texts that test or change letters. */
export const caseMethods: readonly (readonly [string, StringMethod])[] = [
  ["capitalize", changed(capitalized)],
  ["title", changed(titled)],
  ["swapcase", changed(swapped)],
  ["casefold", changed(folded)],
  ["isalpha", testMethod((text) => /^\p{L}+$/u.test(text))],
  ["isalnum", testMethod((text) => /^[\p{L}\p{N}]+$/u.test(text))],
  ["isdecimal", testMethod((text) => /^\p{Nd}+$/u.test(text))],
  ["isdigit", testMethod((text) => /^[\p{Nd}¹²³⁰⁴-⁹₀-₉①-⑨]+$/u.test(text))],
  ["isnumeric", testMethod((text) => /^\p{N}+$/u.test(text))],
  ["isspace", testMethod((text) => text !== "" && Array.from(text).every(isSpace))],
  ["isascii", testMethod((text) => /^[\0-\x7f]*$/.test(text))],
  ["islower", testMethod((text) => /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text))],
  ["isupper", testMethod((text) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text))],
  ["istitle", testMethod(isTitled)],
]

function changed(change: (text: string) => string): StringMethod {
  return {
    parameters: [],
    run: (text, _given, meter) => {
      meter.spend(text.length >> 3)
      return meter.text(change(text))
    },
  }
}

function testMethod(ask: (text: string) => boolean): StringMethod {
  return { parameters: [], run: (text) => ask(text) }
}

function capitalized(text: string): string {
  const [first = ""] = text
  return titleCase(first) + smallLetters(text).slice(1).join("")
}

/** Makes the first letter of every word upper case, and all others lower case. */
function titled(text: string): string {
  const small = smallLetters(text)
  return Array.from(text, (character, index) => ({ character, small: small[index]! }))
    .map(({ character, small }, index, all) =>
      index > 0 && isCased(all[index - 1]!.character) ? small : titleCase(character),
    )
    .join("")
}

function isTitled(text: string): boolean {
  let before = false
  let any = false
  for (const character of text) {
    if (/[\p{Uppercase}\p{Lt}]/u.test(character)) {
      if (before) return false
      before = any = true
    } else if (/\p{Lowercase}/u.test(character)) {
      if (!before) return false
      any = true
    } else before = false
  }
  return any
}

function swapped(text: string): string {
  const small = smallLetters(text)
  return Array.from(text, (character, index) => {
    if (/\p{Uppercase}/u.test(character)) return small[index]!
    return /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character
  }).join("")
}

/** Folds case, for comparisons that ignore it. */
function folded(text: string): string {
  return Array.from(text, (character) =>
    character === "ı" ? character : character.toUpperCase().toLowerCase().replaceAll("ς", "σ"),
  ).join("")
}

const isCased = (character: string): boolean => /\p{Cased}/u.test(character)

/** The lower case of each character. A sigma at the end of a word is special, so all are converted together. */
function smallLetters(text: string): readonly string[] {
  const together = Array.from(text.replaceAll("İ", "I").toLowerCase())
  return Array.from(text, (character, index) => (character === "İ" ? "i̇" : together[index]!))
}

/** Letters that are pairs have a third form, in which only the first letter is upper case. */
const pairs = "ǄǅǆǇǈǉǊǋǌǱǲǳ"

function titleCase(character: string): string {
  const pair = character === "" ? -1 : pairs.indexOf(character)
  if (pair >= 0) return pairs[pair - (pair % 3) + 1]!
  if (/[\u10d0-\u10ff]/.test(character)) return character
  const [first = "", ...rest] = character.toUpperCase()
  return character === "ŉ" ? "ʼN" : first + rest.join("").toLowerCase()
}
