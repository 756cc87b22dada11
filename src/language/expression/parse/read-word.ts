import { ExpressionFailure } from "../failure.ts"
import type { Token } from "./token.ts"

/** Reads a name or one of the operators. */
export function readWordToken(text: string, at: number, operators: readonly string[]): Token {
  const name = nameAt(text, at)
  if (name !== undefined) return { type: "name", text: name, offset: at }
  const operator = operators.find((each) => text.startsWith(each, at))
  if (operator !== undefined) return { type: "operator", text: operator, offset: at }
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const word = words.get(character)
  throw new ExpressionFailure(
    `Unexpected character ${JSON.stringify(character)}.${word === undefined ? "" : ` Write "${word}".`}`,
    at,
  )
}

/** The words for operators that are characters in other languages. */
const words = new Map([
  ["&", "and"],
  ["!", "not"],
])

export function nameAt(text: string, at: number): string | undefined {
  const pattern = /[\p{ID_Start}_]\p{ID_Continue}*/uy
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
