import type { ExpressionDialect } from "../dialect.ts"
import type { Comparison, Node, Operation } from "../node.ts"
import { parseBits, parseSum } from "./arithmetic.ts"
import { type ExpressionGrammar, TokenCursor } from "./cursor.ts"
import type { Token } from "./token.ts"

/** Parses a whole expression: `a if b else c` and everything that binds tighter. */
export function parseExpressionNode(cursor: TokenCursor): Node {
  return cursor.nested(() => {
    const then = parseWithoutCondition(cursor)
    if (!cursor.skip("if")) return then
    const test = parseWithoutCondition(cursor)
    if (cursor.dialect === "python" && !cursor.is("else"))
      throw cursor.unexpected('"else", without which nothing comes of it where the condition is false')
    const otherwise = cursor.skip("else") ? parseExpressionNode(cursor) : undefined
    return { type: "conditional", offset: then.offset, test, then, otherwise }
  })
}

const grammar: ExpressionGrammar = { parseExpression: parseExpressionNode, parseWithoutCondition, parseBits }

/** A cursor for the parsers of expressions. The last token must have the type "end". */
export const createCursor = (tokens: readonly Token[], dialect: ExpressionDialect): TokenCursor =>
  new TokenCursor(tokens, dialect, grammar)

/** Parses an expression without `a if b else c`, for places where `if` has another meaning. */
export function parseWithoutCondition(cursor: TokenCursor): Node {
  return parseLogic(cursor, "or", () => parseLogic(cursor, "and", () => parseNot(cursor)))
}

function parseLogic(cursor: TokenCursor, operator: "and" | "or", parseNext: () => Node): Node {
  const first = parseNext()
  if (!cursor.is(operator)) return first
  const operands = [first]
  while (cursor.skip(operator)) operands.push(parseNext())
  return { type: "logic", offset: first.offset, operator, operands }
}

function parseNot(cursor: TokenCursor): Node {
  const { offset } = cursor.current
  if (!cursor.skip("not")) return parseComparison(cursor)
  return { type: "unary", offset, operator: "not", operand: cursor.nested(() => parseNot(cursor)) }
}

function parseComparison(cursor: TokenCursor): Node {
  const parseSide = cursor.dialect === "python" ? parseBits : parseSum
  const first = parseSide(cursor)
  const rest: Operation<Comparison>[] = []
  for (;;) {
    const { offset } = cursor.current
    const operator = takeComparison(cursor)
    if (operator === undefined) break
    rest.push({ operator, offset, operand: parseSide(cursor) })
  }
  return rest.length === 0 ? first : { type: "comparison", offset: first.offset, first, rest }
}

function takeComparison(cursor: TokenCursor): Comparison | undefined {
  if (cursor.is("not") && cursor.following.text === "in") {
    cursor.take()
    cursor.take()
    return "not in"
  }
  if (cursor.dialect === "python" && cursor.skip("is")) return cursor.skip("not") ? "is not" : "is"
  return cursor.is("==", "!=", "<", "<=", ">", ">=", "in") ? (cursor.take().text as Comparison) : undefined
}
