/** A text prepared for many searches. */
export interface SearchText {
  readonly folded: string
  readonly words: ReadonlySet<string>
}

export function prepareText(text: string): SearchText {
  return { folded: foldCase(text), words: new Set(wordsOf(text)) }
}

/** True if all words of a phrase are in a text, in any order. */
export function containsWords(text: SearchText, phrase: string): boolean {
  const words = wordsOf(phrase)
  return words.length > 0 && words.every((word) => text.words.has(word))
}

/** True if a phrase is in a text as whole words: `lint` is in `lint-fix`, not in `splint`. */
export function containsPhrase(text: SearchText, phrase: string): boolean {
  const part = foldCase(phrase.trim())
  if (part === "") return false
  for (let at = text.folded.indexOf(part); at >= 0; at = text.folded.indexOf(part, at + 1))
    if (!isInsideWord(text.folded, at) && !isInsideWord(text.folded, at + part.length)) return true
  return false
}

/** The common form of all spellings of a name: `Spec Parser`, `spec_parser` and `spec-parser` are one. */
export function toSlug(name: string): string {
  return wordsOf(name).join("") || foldCase(name.trim())
}

/** A word is a run of letters, digits and marks of any script. */
function wordsOf(text: string): readonly string[] {
  return foldCase(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase()
}

// Scripts without spaces between words: there, any place between two letters may be the end of a word.
const unspaced = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
let insideWord: RegExp | undefined

function isInsideWord(text: string, at: number): boolean {
  insideWord ??= betweenLetters()
  insideWord.lastIndex = at
  return insideWord.test(text)
}

/** Made at first use, because so many scripts take a millisecond. */
function betweenLetters(): RegExp {
  const scripts = unspaced.map((script) => `\\p{Script_Extensions=${script}}`).join("")
  const letter = `(?![${scripts}])[\\p{L}\\p{N}\\p{M}]`
  return new RegExp(`(?<=${letter})(?=${letter})`, "uy")
}
