import { ExpressionFailure } from "../failure.ts"
import { readPythonToken } from "../python/tokens.ts"
import type { Cut, Lexed } from "./cut.ts"
import { readNumber, readString } from "./literal.ts"
import { readWordToken } from "./read-word.ts"
import type { Token } from "./token.ts"

/** Cuts text into tokens from `start` to `end`, or to the first closer outside of brackets. */
export function lex(text: string, { start, end, closers, dialect, depth = 0 }: Cut): Lexed {
  const tokens: Token[] = []
  const brackets: string[] = []
  let at = start
  for (;;) {
    at = skipSpace(text, at, end)
    const closer = brackets.length > 0 ? undefined : closers.find((each) => isAt(each, text, at))
    if (at >= end || closer !== undefined) {
      tokens.push({ type: "end", text: "", offset: Math.min(at, end) })
      return { tokens, closer: closer ?? "", end: at + (closer?.length ?? 0) }
    }
    const token =
      dialect === "python" ? readPythonToken(text, at, end, depth, lex) : readJinjaToken(text, at, end)
    if (token.type === "operator") balance(token, brackets)
    tokens.push(token)
    at += token.text.length
  }
}

const isAt = (closer: string, text: string, at: number): boolean =>
  text.startsWith(closer, at) && !(closer === "!" && text[at + 1] === "=")

const operators = ["//", "**", "==", "!=", ">=", "<=", ..."+-*/%~[](){}<>=.:|,"]

function readJinjaToken(text: string, at: number, end: number): Token {
  const first = text[at]!
  if (first === "'" || first === '"') return readString(text, at, end)
  if (first >= "0" && first <= "9") return readNumber(text, at)
  return readWordToken(text, at, operators)
}

const closing = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
])
const closes = new Set(closing.values())

function balance(token: Token, brackets: string[]): void {
  const wanted = closing.get(token.text)
  if (wanted !== undefined) brackets.push(wanted)
  if (!closes.has(token.text)) return
  const expected = brackets.pop()
  if (expected === undefined)
    throw new ExpressionFailure(`Unexpected "${token.text}": nothing is open.`, token.offset)
  if (expected !== token.text)
    throw new ExpressionFailure(`Unexpected "${token.text}": "${expected}" is missing.`, token.offset)
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from
  while (at < end && /\s/.test(text[at]!)) at++
  return at
}
