import { knownNames } from "../../../ground/errors.ts"
import { Failure } from "../failure.ts"
import { filters } from "../filters/index.ts"
import type { GivenNodes, Link, Node } from "../node.ts"
import { tests } from "../tests.ts"
import { isReserved } from "../words.ts"
import type { Cursor } from "./cursor.ts"
import { parseCall, parseGiven, parsePostfix, withLinks } from "./postfix.ts"

/** A value as Jinja has it, with everything that hangs behind it: attributes, items, calls, filters and tests. */
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
  if (isReserved(text, "jinja") && text !== "is") return nothingGiven
  return { positional: [cursor.nested(() => parsePostfix(cursor))], named: [] }
}

function parseDottedName(cursor: Cursor, what: string): string {
  let name = cursor.expectName(what).text
  while (cursor.skip(".")) name += `.${cursor.expectName(what).text}`
  return name
}
