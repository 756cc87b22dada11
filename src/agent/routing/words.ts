/** A text made ready to be searched many times. */
export interface ReadText {
  readonly folded: string
  readonly words: ReadonlySet<string>
}

export function readText(text: string): ReadText {
  return { folded: folded(text), words: new Set(wordsOf(text)) }
}

/** Whether all words of a phrase are in a text, in any order. */
export function holdsWords(text: ReadText, phrase: string): boolean {
  const words = wordsOf(phrase)
  return words.length > 0 && words.every((word) => text.words.has(word))
}

/** Whether a phrase stands in a text as whole words: `lint` is in `lint-fix`, not in `splint`. */
export function holdsPhrase(text: ReadText, phrase: string): boolean {
  const part = folded(phrase.trim())
  if (part === "") return false
  for (let at = text.folded.indexOf(part); at >= 0; at = text.folded.indexOf(part, at + 1))
    if (!isInsideWord(text.folded, at) && !isInsideWord(text.folded, at + part.length)) return true
  return false
}

/** What two spellings of one name have in common: `Spec Parser`, `spec_parser` and `spec-parser` are one. */
export function slugOf(name: string): string {
  return wordsOf(name).join("") || folded(name.trim())
}

/** A word is a run of letters, digits and marks of any script. */
function wordsOf(text: string): readonly string[] {
  return folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase()
}

// Scripts that put no space between words: there, any place between two letters may be the end of a word.
const unspaced = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
let insideWord: RegExp | undefined

function isInsideWord(text: string, at: number): boolean {
  insideWord ??= betweenLetters()
  insideWord.lastIndex = at
  return insideWord.test(text)
}

/** Made at first use: so many scripts take a millisecond. */
function betweenLetters(): RegExp {
  const scripts = unspaced.map((script) => `\\p{Script_Extensions=${script}}`).join("")
  const letter = `(?![${scripts}])[\\p{L}\\p{N}\\p{M}]`
  return new RegExp(`(?<=${letter})(?=${letter})`, "uy")
}
