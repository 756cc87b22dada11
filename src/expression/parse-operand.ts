import { knownNames } from "../errors.ts"
import type { Cursor } from "./cursor.ts"
import { Failure } from "./failure.ts"
import { filters } from "./filters/index.ts"
import type { GivenNodes, Link, Node } from "./node.ts"
import { parseExpressionNode, parseTuple } from "./parse.ts"
import { parseSubscript } from "./parse-subscript.ts"
import { tests } from "./tests.ts"

/** A value with everything that hangs behind it: attributes, items, calls, filters and tests. */
export function parseOperand(cursor: Cursor): Node {
  const base = parseUnary(cursor)
  const links: Link[] = []
  for (;;) {
    if (cursor.skip("|")) links.push(parseFilter(cursor))
    else if (cursor.is("is")) links.push(parseTest(cursor))
    else if (cursor.is("(")) links.push(parseCall(cursor))
    else return withLinks(base, links)
  }
}

/** The name and arguments of a filter, behind its `|`. */
export function parseFilter(cursor: Cursor): Link & { type: "filter" } {
  const { offset } = cursor.current
  const name = parseDottedName(cursor, "the name of a filter")
  if (!filters.has(name))
    throw new Failure(`There is no filter "${name}". ${knownNames(name, filters.keys())}`, offset)
  return { type: "filter", offset, name, given: cursor.is("(") ? parseGiven(cursor) : nothingGiven }
}

const nothingGiven: GivenNodes = { positional: [], named: [] }

function parseUnary(cursor: Cursor): Node {
  const { offset, text } = cursor.current
  if (cursor.skip("-") || cursor.skip("+"))
    return {
      type: "unary",
      offset,
      operator: text as "-" | "+",
      operand: cursor.nested(() => parseUnary(cursor)),
    }
  return parsePostfix(cursor)
}

function parsePostfix(cursor: Cursor): Node {
  const base = parsePrimary(cursor)
  const links: Link[] = []
  for (;;) {
    if (cursor.is(".")) links.push(parseAttribute(cursor))
    else if (cursor.is("[")) links.push(parseSubscript(cursor))
    else if (cursor.is("(")) links.push(parseCall(cursor))
    else return withLinks(base, links)
  }
}

function withLinks(base: Node, links: readonly Link[]): Node {
  if (links.length === 0) return base
  return base.type === "access"
    ? { ...base, links: [...base.links, ...links] }
    : { type: "access", offset: base.offset, base, links }
}

const constants = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
])
const reserved = new Set(["and", "or", "not", "in", "is", "if", "else"])

function parsePrimary(cursor: Cursor): Node {
  const token = cursor.current
  const { offset, text } = token
  switch (token.type) {
    case "number":
      cursor.take()
      return { type: "literal", offset, value: token.value }
    case "string":
      return { type: "literal", offset, value: parseStrings(cursor) }
    case "name":
      if (reserved.has(text)) throw cursor.unexpected("a value")
      cursor.take()
      if (constants.has(text)) return { type: "literal", offset, value: constants.get(text)! }
      return { type: "name", offset, name: text }
    case "operator":
      if (text === "(") return parseParentheses(cursor)
      if (text === "[")
        return { type: "list", offset, items: parseItems(cursor, "[", "]", parseExpressionNode) }
      if (text === "{") return { type: "dict", offset, entries: parseItems(cursor, "{", "}", parseEntry) }
      throw cursor.unexpected("a value")
    case "end":
      throw cursor.unexpected("a value")
  }
}

/** Strings that stand side by side are one. */
function parseStrings(cursor: Cursor): string {
  const parts: string[] = []
  for (let token = cursor.current; token.type === "string"; token = cursor.current) {
    parts.push(token.value)
    cursor.take()
  }
  return parts.join("")
}

function parseParentheses(cursor: Cursor): Node {
  const { offset } = cursor.expect("(")
  if (cursor.skip(")")) return { type: "tuple", offset, items: [] }
  const inside = parseTuple(cursor)
  cursor.expect(")")
  return inside
}

function parseEntry(cursor: Cursor): { key: Node; value: Node } {
  const key = parseExpressionNode(cursor)
  cursor.expect(":")
  return { key, value: parseExpressionNode(cursor) }
}

function parseItems<Item>(
  cursor: Cursor,
  open: string,
  close: string,
  parseItem: (cursor: Cursor) => Item,
): Item[] {
  cursor.expect(open)
  const items: Item[] = []
  while (!cursor.is(close)) {
    items.push(parseItem(cursor))
    if (!cursor.is(close)) cursor.expect(",")
  }
  cursor.expect(close)
  return items
}

function parseAttribute(cursor: Cursor): Link {
  cursor.expect(".")
  const token = cursor.current
  const { offset, text } = token
  if (token.type === "number") {
    cursor.take()
    return { type: "item", offset, item: { type: "literal", offset, value: token.value } }
  }
  cursor.expectName("a name or a number")
  if (text.startsWith("__"))
    throw new Failure(`"${text}" cannot be used: names that begin with "__" are refused.`, offset)
  return { type: "attribute", offset, name: text }
}

function parseCall(cursor: Cursor): Link {
  return { type: "call", offset: cursor.current.offset, given: parseGiven(cursor) }
}

function parseGiven(cursor: Cursor): GivenNodes {
  const positional: Node[] = []
  const named: { name: string; value: Node }[] = []
  parseItems(cursor, "(", ")", () => {
    const { type, text, offset } = cursor.current
    if (text === "*" || text === "**")
      throw new Failure(`"${text}" before an argument is not supported.`, offset)
    if (type === "name" && cursor.following.text === "=") {
      cursor.take()
      cursor.take()
      named.push({ name: text, value: parseExpressionNode(cursor) })
      return
    }
    if (named.length > 0)
      throw cursor.unexpected("an argument with a name, since one with a name stands before it")
    positional.push(parseExpressionNode(cursor))
  })
  return { positional, named }
}

function parseTest(cursor: Cursor): Link {
  cursor.expect("is")
  const answer = cursor.skip("not") ? "is not" : "is"
  const { offset } = cursor.current
  const name = parseDottedName(cursor, "the name of a test")
  if (!tests.has(name))
    throw new Failure(`There is no test "${name}". ${knownNames(name, tests.keys())}`, offset)
  return { type: "test", offset, name, answer, given: parseGivenToTest(cursor) }
}

/** A test takes its arguments in parentheses, or one simple value without them: `is divisibleby 3`. */
function parseGivenToTest(cursor: Cursor): GivenNodes {
  if (cursor.is("(")) return parseGiven(cursor)
  const { type, text } = cursor.current
  if (type === "end" || (type === "operator" && text !== "[" && text !== "{")) return nothingGiven
  if (reserved.has(text) && text !== "is") return nothingGiven
  return { positional: [cursor.nested(() => parsePostfix(cursor))], named: [] }
}

function parseDottedName(cursor: Cursor, what: string): string {
  let name = cursor.expectName(what).text
  while (cursor.skip(".")) name += `.${cursor.expectName(what).text}`
  return name
}
