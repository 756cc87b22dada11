import type { ExpressionDialect } from "../dialect.ts"
import { deepestNesting, ExpressionFailure } from "../failure.ts"
import type { Node } from "../node.ts"
import type { Token } from "./token.ts"

/** The parsers of whole expressions. The parsers of brackets cannot import them, so they call them through the cursor. */
export interface ExpressionGrammar {
  readonly parseExpression: (cursor: TokenCursor) => Node
  /** Parses an expression without `a if b else c`. */
  readonly parseWithoutCondition: (cursor: TokenCursor) => Node
  /** Parses Python's arithmetic. */
  readonly parseBits: (cursor: TokenCursor) => Node
}

/** The position of a parser in a list of tokens. */
export class TokenCursor {
  readonly dialect: ExpressionDialect
  readonly grammar: ExpressionGrammar
  readonly #tokens: readonly Token[]
  #at = 0
  #depth: number

  /** The last token must have the type "end". */
  constructor(tokens: readonly Token[], dialect: ExpressionDialect, grammar: ExpressionGrammar, depth = 0) {
    this.#tokens = tokens
    this.dialect = dialect
    this.grammar = grammar
    this.#depth = depth
  }

  get current(): Token {
    return this.#tokens[this.#at]!
  }

  get following(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)]!
  }

  /** A cursor for tokens inside of the current token. */
  inside(tokens: readonly Token[]): TokenCursor {
    return new TokenCursor(tokens, this.dialect, this.grammar, this.#depth)
  }

  take(): Token {
    const token = this.current
    if (token.type !== "end") this.#at++
    return token
  }

  is(...texts: readonly string[]): boolean {
    return this.current.type !== "end" && texts.includes(this.current.text)
  }

  /** Skips the text if it comes next. Returns true if it did. */
  skip(text: string): boolean {
    if (!this.is(text)) return false
    this.#at++
    return true
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.unexpected(`"${text}"`)
    return this.take()
  }

  expectName(what: string): Token {
    if (this.current.type !== "name") throw this.unexpected(what)
    return this.take()
  }

  expectEnd(): void {
    if (this.current.type !== "end") throw this.unexpected("nothing more")
  }

  unexpected(wanted: string): ExpressionFailure {
    const { type, text, offset } = this.current
    const tokenText =
      type === "end" ? "end" : JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
    return new ExpressionFailure(
      `Unexpected ${tokenText}: expected ${wanted}.${hintFor(this.current)}`,
      offset,
    )
  }

  /** Bounds the depth of a parser that calls itself. */
  nested<Result>(parse: () => Result): Result {
    if (this.#depth >= deepestNesting)
      throw new ExpressionFailure(
        `This is nested more than ${deepestNesting} levels deep.`,
        this.current.offset,
        "depth",
      )
    this.#depth++
    const result = parse()
    this.#depth--
    return result
  }
}

function hintFor({ type, text }: Token): string {
  if (type === "operator" && text === "=") return ' Two values are compared with "==".'
  return type === "number" && /^\.\d/.test(text) ? " An item of a list is written in brackets: [0]." : ""
}
