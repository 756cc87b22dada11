import { ExpressionFailure } from "../failure.ts"
import type { Token } from "./token.ts"

/** Python has the same limit. */
const longestNumber = 4300

export function readNumber(text: string, offset: number): Token {
  const written = match(/0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+/y, text, offset)
  if (written !== undefined) return readIntegerToken(written, offset)
  const whole = match(/\d+(?:_\d+)*/y, text, offset)!
  const fraction = match(/\.\d+(?:_\d+)*/y, text, offset + whole.length) ?? ""
  const exponent = match(/[eE][+-]?\d+(?:_\d+)*/y, text, offset + whole.length + fraction.length) ?? ""
  // "x.0.1" is the second item of the first item, so a number after a dot is never a float.
  if (text[offset - 1] === "." || fraction + exponent === "") return readIntegerToken(whole, offset)
  const float = whole + fraction + exponent
  return { type: "number", text: float, offset, value: Number(float.replaceAll("_", "")) }
}

export function readString(text: string, offset: number, end: number): Token {
  const quote = text[offset]!
  let value = ""
  let at = offset + 1
  for (;;) {
    if (at >= end) throw new ExpressionFailure(`This string is not closed: its ${quote} is missing.`, offset)
    const character = text[at]!
    if (character === quote) break
    if (character === "\\") {
      const escaped = readEscape(text, at)
      value += escaped.value
      at += escaped.length
    } else if (character === "\r") {
      value += "\n"
      at += text[at + 1] === "\n" ? 2 : 1
    } else {
      value += character
      at++
    }
  }
  return { type: "string", text: text.slice(offset, at + 1), offset, value }
}

export function readIntegerToken(text: string, offset: number): Token {
  if (/^0[0_]*[1-9]/.test(text)) throw new ExpressionFailure("An integer does not begin with 0.", offset)
  if (text.length > longestNumber)
    throw new ExpressionFailure(`An integer may have at most ${longestNumber} digits.`, offset, "digits")
  return { type: "number", text, offset, value: BigInt(text.replaceAll("_", "")) }
}

const singles: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
}
const hexadecimal: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

export function readEscape(text: string, at: number): { value: string; length: number } {
  const letter = text[at + 1] ?? ""
  if (Object.hasOwn(singles, letter)) return { value: singles[letter]!, length: 2 }
  const octal = match(/[0-7]{1,3}/y, text, at + 1)
  if (octal !== undefined)
    return { value: String.fromCharCode(Number.parseInt(octal, 8)), length: 1 + octal.length }
  if (!Object.hasOwn(hexadecimal, letter)) {
    if (letter === "N")
      throw new ExpressionFailure("Characters cannot be written by name here; write \\u and four digits.", at)
    return { value: "\\", length: 1 }
  }
  const digits = text.slice(at + 2, at + 2 + hexadecimal[letter]!)
  const code = /^[\da-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (digits.length < hexadecimal[letter]! || !(code <= 0x10ffff))
    throw new ExpressionFailure(
      `\\${letter} needs ${hexadecimal[letter]} hexadecimal digits of a character.`,
      at,
    )
  return { value: String.fromCodePoint(code), length: 2 + digits.length }
}

export function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
