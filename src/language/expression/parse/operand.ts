import { listKnownNames } from "../../../ground/errors.ts"
import { ExpressionFailure } from "../failure.ts"
import { filters } from "../filters/index.ts"
import type { GivenNodes, Link, Node } from "../node.ts"
import { tests } from "../tests.ts"
import { isReserved } from "../words.ts"
import type { TokenCursor } from "./cursor.ts"
import { parseCall, parseGiven, parsePostfix, withLinks } from "./postfix.ts"

/** Parses a Jinja value with its attributes, items, calls, filters and tests. */
export function parseOperand(cursor: TokenCursor): Node {
  const base = parseUnary(cursor)
  const links: Link[] = []
  for (;;) {
    if (cursor.skip("|")) links.push(parseFilter(cursor))
    else if (cursor.is("is")) links.push(parseTest(cursor))
    else if (cursor.is("(")) links.push(parseCall(cursor))
    else return withLinks(base, links)
  }
}

/** Parses the name and arguments of a filter, after its `|`. */
export function parseFilter(cursor: TokenCursor): Link & { type: "filter" } {
  const { offset } = cursor.current
  const name = parseDottedName(cursor, "the name of a filter")
  if (!filters.has(name))
    throw new ExpressionFailure(`Unknown filter "${name}". ${listKnownNames(name, filters.keys())}`, offset)
  return { type: "filter", offset, name, arguments: cursor.is("(") ? parseGiven(cursor) : nothingGiven }
}

const nothingGiven: GivenNodes = { positional: [], named: [] }

function parseUnary(cursor: TokenCursor): Node {
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

function parseTest(cursor: TokenCursor): Link {
  cursor.expect("is")
  const answer = cursor.skip("not") ? "is not" : "is"
  const { offset } = cursor.current
  const name = parseDottedName(cursor, "the name of a test")
  if (!tests.has(name))
    throw new ExpressionFailure(`Unknown test "${name}". ${listKnownNames(name, tests.keys())}`, offset)
  return { type: "test", offset, name, answer, arguments: parseGivenToTest(cursor) }
}

/** Parses the arguments of a test: in parentheses, or one simple value without them, as in `is divisibleby 3`. */
function parseGivenToTest(cursor: TokenCursor): GivenNodes {
  if (cursor.is("(")) return parseGiven(cursor)
  const { type, text } = cursor.current
  if (type === "end" || (type === "operator" && text !== "[" && text !== "{")) return nothingGiven
  if (isReserved(text, "jinja") && text !== "is") return nothingGiven
  return { positional: [cursor.nested(() => parsePostfix(cursor))], named: [] }
}

function parseDottedName(cursor: TokenCursor, what: string): string {
  let name = cursor.expectName(what).text
  while (cursor.skip(".")) name += `.${cursor.expectName(what).text}`
  return name
}
