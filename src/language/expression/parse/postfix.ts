import { ExpressionFailure } from "../failure.ts"
import type { GivenNodes, Link, Node } from "../node.ts"
import { findWordConstant, isReserved } from "../words.ts"
import { parseItems, parseStarred } from "./brackets.ts"
import { parseComprehension } from "./comprehension.ts"
import type { TokenCursor } from "./cursor.ts"
import { parsePrimary } from "./primary.ts"
import { parseSubscript } from "./subscript.ts"

/** Parses a value with its attributes, items and calls. */
export function parsePostfix(cursor: TokenCursor): Node {
  const base = parsePrimary(cursor)
  const links: Link[] = []
  for (;;) {
    if (cursor.is(".")) links.push(parseAttribute(cursor))
    else if (cursor.is("[")) links.push(parseSubscript(cursor))
    else if (cursor.is("(")) links.push(parseCall(cursor))
    else return withLinks(base, links)
  }
}

export function withLinks(base: Node, links: readonly Link[]): Node {
  if (links.length === 0) return base
  return base.type === "access"
    ? { ...base, links: [...base.links, ...links] }
    : { type: "access", offset: base.offset, base, links }
}

function parseAttribute(cursor: TokenCursor): Link {
  cursor.expect(".")
  const token = cursor.current
  const { offset, text } = token
  if (token.type === "number" && cursor.dialect === "jinja") {
    cursor.take()
    return { type: "item", offset, item: { type: "literal", offset, value: token.value } }
  }
  cursor.expectName(cursor.dialect === "jinja" ? "a name or a number" : "a name")
  if (text.startsWith("__"))
    throw new ExpressionFailure(`"${text}" cannot be used: names that begin with "__" are refused.`, offset)
  return { type: "attribute", offset, name: text }
}

export function parseCall(cursor: TokenCursor): Link {
  return { type: "call", offset: cursor.current.offset, arguments: parseGiven(cursor) }
}

export function parseGiven(cursor: TokenCursor): GivenNodes {
  const positional: Node[] = []
  const named: { name: string; value: Node }[] = []
  parseItems(cursor, "(", ")", () => {
    const { type, text, offset } = cursor.current
    if (text === "**" || (text === "*" && cursor.dialect === "jinja"))
      throw new ExpressionFailure(`"${text}" before an argument is not supported.`, offset)
    if (type === "name" && cursor.following.text === "=") {
      if (cursor.dialect === "python" && isWord(text)) throw cursor.unexpected("the name of an argument")
      cursor.take()
      cursor.take()
      named.push({ name: text, value: cursor.grammar.parseExpression(cursor) })
      return
    }
    if (named.length > 0)
      throw cursor.unexpected("an argument with a name, since one with a name stands before it")
    const value = parseStarred(cursor, cursor.grammar.parseExpression)
    const isAlone = positional.length === 0 && value.type !== "starred"
    const isLoop = cursor.dialect === "python" && cursor.is("for", "async")
    positional.push(isLoop ? lazily(cursor, value, isAlone) : value)
  })
  return { positional, named }
}

const isWord = (text: string): boolean =>
  isReserved(text, "python") || findWordConstant(text, "python") !== undefined

/** Parses a generator that is the only argument, which needs no parentheses: `any(x for x in items)`. */
function lazily(cursor: TokenCursor, element: Node, isAlone: boolean): Node {
  const { offset } = cursor.current
  const generator = parseComprehension(cursor, "generator", { element })
  if (isAlone && cursor.is(")")) return generator
  throw new ExpressionFailure("Next to other arguments, `… for … in …` needs parentheses around it.", offset)
}
