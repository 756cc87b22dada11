import type { Link, Node } from "../node.ts"
import type { TokenCursor } from "./cursor.ts"

/** Parses `[item]`, `[from:to:step]` or `[a, b]`, whose key is a tuple. */
export function parseSubscript(cursor: TokenCursor): Link {
  const { offset } = cursor.expect("[")
  const first = cursor.is(":") ? undefined : cursor.grammar.parseExpression(cursor)
  const link: Link = cursor.is(":")
    ? { type: "slice", offset, from: first, to: parsePart(cursor), step: parsePart(cursor) }
    : { type: "item", offset, item: parseRest(cursor, first!) }
  cursor.expect("]")
  return link
}

function parsePart(cursor: TokenCursor): Node | undefined {
  return cursor.skip(":") && !cursor.is(":", "]") ? cursor.grammar.parseExpression(cursor) : undefined
}

function parseRest(cursor: TokenCursor, first: Node): Node {
  if (!cursor.is(",")) return first
  const items = [first]
  while (cursor.skip(",")) {
    if (cursor.dialect === "python" && cursor.is("]")) break
    items.push(cursor.grammar.parseExpression(cursor))
  }
  return { type: "tuple", offset: first.offset, items }
}
