import type { ExpressionDialect } from "../dialect.ts"
import type { Token } from "./token.ts"

/** Cuts text into tokens. The reader of f-strings gets it as a parameter, because f-strings contain expressions. */
export type Lex = (text: string, cut: Cut) => Lexed

export interface Lexed {
  /** The last token has the type "end". */
  readonly tokens: readonly Token[]
  /** The closer that ended the tokens, or "" at the end of the text. */
  readonly closer: string
  /** The offset after the closer. */
  readonly end: number
}

/** The part of a text to cut into tokens, and its syntax. */
export interface Cut {
  readonly start: number
  readonly end: number
  /** The first of these texts outside of brackets ends the part. */
  readonly closers: readonly string[]
  readonly dialect: ExpressionDialect
  /** The number of f-strings around the part. */
  readonly depth?: number
}
