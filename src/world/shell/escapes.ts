import { Unreadable } from "./syntax.ts"

/** Decodes the text of `$'...'`. Escapes for NUL and for characters beyond ASCII are unreadable. */
export function decodeEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_, byte?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return simple(letter)
      const code =
        octal === undefined ? Number.parseInt((byte ?? short ?? long)!, 16) : Number.parseInt(octal, 8)
      // The bytes of other characters depend on the locale.
      if (code === 0 || code > 0x7f)
        throw new Unreadable("an escape in $'...' stands for NUL or a character beyond ASCII")
      return String.fromCodePoint(code)
    },
  )
}

const letters: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
}

function simple(letter: string): string {
  const character = letters[letter]
  if (character === undefined) throw new Unreadable(`unknown escape \\${letter} in $'...'`)
  return character
}
