import type { Node } from "../node.ts"
import type { TokenCursor } from "./cursor.ts"

/** Parses one expression, or several with commas between them as a tuple. */
export function parseTuple(cursor: TokenCursor, parseItem = cursor.grammar.parseExpression): Node {
  const { offset } = cursor.current
  const first = parseItem(cursor)
  if (!cursor.is(",")) return first
  const items = [first]
  while (cursor.skip(",")) {
    if (cursor.current.type === "end" || cursor.is(")")) break
    items.push(parseItem(cursor))
  }
  return { type: "tuple", offset, items }
}
