import { ExpressionFailure } from "../failure.ts"
import type { Node } from "../node.ts"
import { findWordConstant, isReserved } from "../words.ts"
import { parseBraces, parseParentheses, parseSquare } from "./brackets.ts"
import type { TokenCursor } from "./cursor.ts"
import { parseStrings } from "./strings.ts"

/** Parses a literal, a name, or anything in brackets. */
export function parsePrimary(cursor: TokenCursor): Node {
  const token = cursor.current
  const { offset, text } = token
  switch (token.type) {
    case "number":
      cursor.take()
      return { type: "literal", offset, value: token.value }
    case "string":
    case "format":
      return parseStrings(cursor)
    case "name": {
      if (isReserved(text, cursor.dialect)) throw refusal(cursor)
      cursor.take()
      const constant = findWordConstant(text, cursor.dialect)
      return constant === undefined
        ? { type: "name", offset, name: text }
        : { type: "literal", offset, value: constant }
    }
    case "operator":
      if (text === "(") return parseParentheses(cursor)
      if (text === "[") return parseSquare(cursor)
      if (text === "{") return parseBraces(cursor)
      throw cursor.unexpected("a value")
    case "end":
      throw cursor.unexpected("a value")
  }
}

function refusal(cursor: TokenCursor): ExpressionFailure {
  const { text, offset } = cursor.current
  if (text !== "lambda") return cursor.unexpected("a value")
  return new ExpressionFailure(
    "`lambda` cannot be used: a condition cannot define a function. Use an existing function, as in `sorted(items, key=len)`, or write `[… for … in …]`.",
    offset,
  )
}
