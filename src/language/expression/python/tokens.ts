import { ExpressionFailure } from "../failure.ts"
import type { Lex } from "../parse/cut.ts"
import { match, readIntegerToken } from "../parse/literal.ts"
import { nameAt, readWordToken } from "../parse/read-word.ts"
import type { Token } from "../parse/token.ts"
import { readPythonString } from "./strings.ts"

/** Reads one token of Python. */
export function readPythonToken(text: string, at: number, end: number, depth: number, lex: Lex): Token {
  const string = readPythonString(text, at, end, depth, lex)
  if (string !== undefined) return string
  if (/[0-9]/.test(text[at]!) || (text[at] === "." && /[0-9]/.test(text[at + 1] ?? "")))
    return readPythonNumber(text, at)
  for (const [written, advice] of refused)
    if (text.startsWith(written, at)) throw new ExpressionFailure(advice, at)
  return readWordToken(text, at, operators)
}

const operators = ["//", "**", "==", "!=", ">=", "<=", "<<", ">>", ..."+-*/%~[](){}<>=.:|,&^"]

/** Syntax of Python that conditions do not have, and syntax of other languages, with the advice for each. */
const refused: readonly (readonly [string, string])[] = [
  ["&&", 'Unexpected "&&". Write "and".'],
  ["||", 'Unexpected "||". Write "or".'],
  [":=", "A condition cannot set names. Write the value where it is used."],
  ["...", 'Unexpected "...": expected a value.'],
  [
    "#",
    "A condition cannot have comments, because YAML may join the next line to them. Write comments outside of it.",
  ],
]

/** Words that may follow a number without a space, as in `1if x else 2`. */
const afterNumbers = new Set(["and", "else", "for", "if", "in", "is", "not", "or"])

function readPythonNumber(text: string, offset: number): Token {
  const token = readDigits(text, offset)
  const behind = offset + token.text.length
  const word = nameAt(text, behind) ?? match(/\d+/y, text, behind)
  if (word === undefined || afterNumbers.has(word)) return token
  throw new ExpressionFailure(
    /^[jJ]$/.test(word)
      ? "Complex numbers cannot be used in a condition."
      : `A number cannot be followed by ${JSON.stringify(word)}.`,
    behind,
  )
}

function readDigits(text: string, offset: number): Token {
  const based = match(/0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+/y, text, offset)
  if (based !== undefined) return readIntegerToken(based, offset)
  const float =
    match(/(?:\d+(?:_\d+)*\.(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y, text, offset) ??
    match(/\d+(?:_\d+)*[eE][+-]?\d+(?:_\d+)*/y, text, offset)
  if (float !== undefined)
    return { type: "number", text: float, offset, value: Number(float.replaceAll("_", "")) }
  return readIntegerToken(match(/\d+(?:_\d+)*/y, text, offset)!, offset)
}
