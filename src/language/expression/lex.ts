import type { Dialect } from "./dialect.ts"
import { Failure } from "./failure.ts"
import { readNumber, readString } from "./literal.ts"
import { readPythonToken } from "./python/tokens.ts"
import type { Token } from "./token.ts"

export interface Lexed {
  /** The last one is of type "end". */
  readonly tokens: readonly Token[]
  /** The closer that was met, or "" at the end of the text. */
  readonly closer: string
  /** Behind the closer. */
  readonly end: number
}

/** Which part of a text is cut into tokens, and how. */
export interface Cut {
  readonly start: number
  readonly end: number
  /** The first of these that stands outside of brackets ends it. */
  readonly closers: readonly string[]
  readonly dialect: Dialect
  /** How many f-strings are around it. */
  readonly depth?: number
}

/** Cuts text into tokens from `start` to `end`, or to the first closer that stands outside of brackets. */
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
    const token = dialect === "python" ? readPythonToken(text, at, end, depth) : readJinjaToken(text, at, end)
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
  return readWord(text, at, operators)
}

/** A name, or one of these operators. */
export function readWord(text: string, at: number, known: readonly string[]): Token {
  const name = nameAt(text, at)
  if (name !== undefined) return { type: "name", text: name, offset: at }
  const operator = known.find((each) => text.startsWith(each, at))
  if (operator !== undefined) return { type: "operator", text: operator, offset: at }
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const word = words.get(character)
  throw new Failure(
    `Unexpected character ${JSON.stringify(character)}.${word === undefined ? "" : ` Write "${word}".`}`,
    at,
  )
}

/** What other languages write with a character is a word here. */
const words = new Map([
  ["&", "and"],
  ["!", "not"],
])

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
  if (expected === undefined) throw new Failure(`Unexpected "${token.text}": nothing is open.`, token.offset)
  if (expected !== token.text)
    throw new Failure(`Unexpected "${token.text}": "${expected}" is still to come.`, token.offset)
}

export function nameAt(text: string, at: number): string | undefined {
  const pattern = /[\p{ID_Start}_]\p{ID_Continue}*/uy
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from
  while (at < end && /\s/.test(text[at]!)) at++
  return at
}
