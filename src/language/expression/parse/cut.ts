import type { Dialect } from "../dialect.ts"
import type { Token } from "./token.ts"

/** Cuts text into tokens. It is passed to the reader of f-strings, because an expression can stand in them. */
export type Lex = (text: string, cut: Cut) => Lexed

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
