import { Unreadable } from "./syntax.ts"

/** The text of `$'...'`. What would give a byte that is no character is not read. */
export function decodeEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
    (_, byte?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return simple(letter)
      const code =
        octal === undefined ? Number.parseInt((byte ?? short ?? long)!, 16) : Number.parseInt(octal, 8)
      // What is beyond depends on the locale.
      if (code === 0 || code > 0x7f) throw new Unreadable("an escape in $'...' stands for no character")
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
  const known = letters[letter]
  if (known === undefined) throw new Unreadable(`the escape \\${letter} in $'...' is not read`)
  return known
}
