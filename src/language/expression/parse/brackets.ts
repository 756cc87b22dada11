import { ExpressionFailure } from "../failure.ts"
import type { EntryNode, Node } from "../node.ts"
import { parseComprehension } from "./comprehension.ts"
import type { TokenCursor } from "./cursor.ts"
import { parseTuple } from "./tuple.ts"

/** `(…)`: a value, a tuple, or `(… for … in …)`. */
export function parseParentheses(cursor: TokenCursor): Node {
  const { offset } = cursor.expect("(")
  if (cursor.skip(")")) return { type: "tuple", offset, items: [] }
  if (cursor.dialect === "jinja") return closed(cursor, ")", parseTuple(cursor))
  const first = parseStarred(cursor)
  if (isLoop(cursor)) return closed(cursor, ")", parseComprehension(cursor, "generator", { element: first }))
  if (cursor.is(",")) return { type: "tuple", offset, items: restOf(cursor, ")", first, parseStarred) }
  if (first.type === "starred")
    throw new ExpressionFailure(
      '"*" is allowed only in a tuple, a list or a set, or before an argument.',
      first.offset,
    )
  return closed(cursor, ")", first)
}

/** `[…]`: a list. */
export function parseSquare(cursor: TokenCursor): Node {
  const { offset } = cursor.expect("[")
  if (cursor.skip("]")) return { type: "list", offset, items: [] }
  const first = parseStarred(cursor)
  if (isLoop(cursor)) return closed(cursor, "]", parseComprehension(cursor, "list", { element: first }))
  return { type: "list", offset, items: restOf(cursor, "]", first, parseStarred) }
}

/** `{…}`: a dict or, in Python, a set. */
export function parseBraces(cursor: TokenCursor): Node {
  const { offset } = cursor.expect("{")
  if (cursor.skip("}")) return { type: "dict", offset, entries: [] }
  if (cursor.dialect === "jinja" || cursor.is("**")) return parseDict(cursor, offset, parseEntry(cursor))
  const first = parseStarred(cursor)
  if (cursor.is(":")) return parseDict(cursor, offset, parseValue(cursor, first))
  if (isLoop(cursor)) return closed(cursor, "}", parseComprehension(cursor, "set", { element: first }))
  return { type: "set", offset, items: restOf(cursor, "}", first, parseStarred) }
}

/** Parses items with commas between them, and an optional comma after the last. */
export function parseItems<Item>(
  cursor: TokenCursor,
  open: string,
  close: string,
  parseItem: (cursor: TokenCursor) => Item,
): Item[] {
  cursor.expect(open)
  if (cursor.skip(close)) return []
  return restOf(cursor, close, parseItem(cursor), parseItem)
}

/** Parses an item of a list or an argument. In Python it may be `*items`. */
export function parseStarred(cursor: TokenCursor, parseMany = cursor.grammar.parseBits): Node {
  const { offset } = cursor.current
  if (cursor.dialect === "jinja" || !cursor.skip("*")) return cursor.grammar.parseExpression(cursor)
  return { type: "starred", offset, operand: cursor.nested(() => parseMany(cursor)) }
}

function restOf<Item>(
  cursor: TokenCursor,
  close: string,
  first: Item,
  parseItem: (cursor: TokenCursor) => Item,
): Item[] {
  const items = [first]
  while (!cursor.skip(close)) {
    cursor.expect(",")
    if (!cursor.is(close)) items.push(parseItem(cursor))
  }
  return items
}

function parseDict(cursor: TokenCursor, offset: number, first: EntryNode): Node {
  if (isLoop(cursor)) {
    if (first.key === undefined) throw cursor.unexpected('"," or "}", since "**" cannot stand before a loop')
    return closed(cursor, "}", parseComprehension(cursor, "dict", { element: first.key, value: first.value }))
  }
  return { type: "dict", offset, entries: restOf(cursor, "}", first, parseEntry) }
}

function parseEntry(cursor: TokenCursor): EntryNode {
  if (cursor.dialect === "python" && cursor.skip("**"))
    return { key: undefined, value: cursor.nested(() => cursor.grammar.parseBits(cursor)) }
  return parseValue(cursor, cursor.grammar.parseExpression(cursor))
}

function parseValue(cursor: TokenCursor, key: Node): EntryNode {
  if (key.type === "starred") throw cursor.unexpected('"," or "}"')
  cursor.expect(":")
  return { key, value: cursor.grammar.parseExpression(cursor) }
}

function closed(cursor: TokenCursor, close: string, inside: Node): Node {
  cursor.expect(close)
  return inside
}

const isLoop = (cursor: TokenCursor): boolean => cursor.dialect === "python" && cursor.is("for", "async")
