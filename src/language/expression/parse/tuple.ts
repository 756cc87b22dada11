import type { Node } from "../node.ts"
import type { Cursor } from "./cursor.ts"

/** One expression, or several with commas between them, which make a tuple. */
export function parseTuple(cursor: Cursor, parseItem = cursor.grammar.parseExpression): Node {
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
