import type { Dialect } from "../dialect.ts"
import { Failure, maxDepth } from "../failure.ts"
import type { Node } from "../node.ts"
import type { Token } from "./token.ts"

/** The parsers of whole expressions. What parses brackets cannot import them, and calls them through its cursor. */
export interface Grammar {
  readonly parseExpression: (cursor: Cursor) => Node
  /** Without `a if b else c`. */
  readonly parseWithoutCondition: (cursor: Cursor) => Node
  /** Python's arithmetic. */
  readonly parseBits: (cursor: Cursor) => Node
}

/** A place in a list of tokens, for a parser to move through. */
export class Cursor {
  readonly dialect: Dialect
  readonly grammar: Grammar
  readonly #tokens: readonly Token[]
  #at = 0
  #depth: number

  /** The last token is of type "end". */
  constructor(tokens: readonly Token[], dialect: Dialect, grammar: Grammar, depth = 0) {
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

  /** For tokens that stand inside of the current one. */
  inside(tokens: readonly Token[]): Cursor {
    return new Cursor(tokens, this.dialect, this.grammar, this.#depth)
  }

  take(): Token {
    const token = this.current
    if (token.type !== "end") this.#at++
    return token
  }

  is(...texts: readonly string[]): boolean {
    return this.current.type !== "end" && texts.includes(this.current.text)
  }

  /** Moves on if this comes next, and says whether it did. */
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

  unexpected(wanted: string): Failure {
    const { type, text, offset } = this.current
    const found = type === "end" ? "end" : JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
    return new Failure(`Unexpected ${found}: expected ${wanted}.${hintFor(this.current)}`, offset)
  }

  /** For a parser that calls itself. */
  nested<Result>(parse: () => Result): Result {
    if (this.#depth >= maxDepth)
      throw new Failure(`This is nested more than ${maxDepth} levels deep.`, this.current.offset, "depth")
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
