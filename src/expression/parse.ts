import type { Cursor } from "./cursor.ts"
import type { Arithmetic, Comparison, Node, Operation } from "./node.ts"
import { parseOperand } from "./parse-operand.ts"

/** The whole language: `a if b else c` and everything that binds tighter. */
export function parseExpressionNode(cursor: Cursor): Node {
  return cursor.nested(() => {
    const then = parseWithoutCondition(cursor)
    if (!cursor.skip("if")) return then
    const test = parseWithoutCondition(cursor)
    const otherwise = cursor.skip("else") ? parseExpressionNode(cursor) : undefined
    return { type: "conditional", offset: then.offset, test, then, otherwise }
  })
}

/** Without `a if b else c`, for where a word `if` means something else. */
export function parseWithoutCondition(cursor: Cursor): Node {
  return parseLogic(cursor, "or", () => parseLogic(cursor, "and", () => parseNot(cursor)))
}

/** One expression, or several with commas between them, which make a tuple. */
export function parseTuple(cursor: Cursor, parseItem = parseExpressionNode): Node {
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

function parseLogic(cursor: Cursor, operator: "and" | "or", parseNext: () => Node): Node {
  const first = parseNext()
  if (!cursor.is(operator)) return first
  const operands = [first]
  while (cursor.skip(operator)) operands.push(parseNext())
  return { type: "logic", offset: first.offset, operator, operands }
}

function parseNot(cursor: Cursor): Node {
  const { offset } = cursor.current
  if (!cursor.skip("not")) return parseComparison(cursor)
  return { type: "unary", offset, operator: "not", operand: cursor.nested(() => parseNot(cursor)) }
}

function parseComparison(cursor: Cursor): Node {
  const first = parseSum(cursor)
  const rest: Operation<Comparison>[] = []
  for (;;) {
    const { offset } = cursor.current
    const operator = takeComparison(cursor)
    if (operator === undefined) break
    rest.push({ operator, offset, operand: parseSum(cursor) })
  }
  return rest.length === 0 ? first : { type: "comparison", offset: first.offset, first, rest }
}

function takeComparison(cursor: Cursor): Comparison | undefined {
  if (cursor.is("not") && cursor.following.text === "in") {
    cursor.take()
    cursor.take()
    return "not in"
  }
  return cursor.is("==", "!=", "<", "<=", ">", ">=", "in") ? (cursor.take().text as Comparison) : undefined
}

function parseSum(cursor: Cursor): Node {
  return parseArithmetic(cursor, ["+", "-"], parseConcat)
}

function parseConcat(cursor: Cursor): Node {
  const first = parseProduct(cursor)
  if (!cursor.is("~")) return first
  const operands = [first]
  while (cursor.skip("~")) operands.push(parseProduct(cursor))
  return { type: "concat", offset: first.offset, operands }
}

function parseProduct(cursor: Cursor): Node {
  return parseArithmetic(cursor, ["*", "/", "//", "%"], parsePower)
}

/** As in Jinja and unlike Python, from left to right: `2 ** 3 ** 2` is 64, and `-2 ** 2` is 4. */
function parsePower(cursor: Cursor): Node {
  return parseArithmetic(cursor, ["**"], parseOperand)
}

function parseArithmetic(
  cursor: Cursor,
  operators: readonly Arithmetic[],
  parseNext: (cursor: Cursor) => Node,
): Node {
  const first = parseNext(cursor)
  const rest: Operation<Arithmetic>[] = []
  while (cursor.is(...operators)) {
    const { text, offset } = cursor.take()
    rest.push({ operator: text as Arithmetic, offset, operand: parseNext(cursor) })
  }
  return rest.length === 0 ? first : { type: "arithmetic", offset: first.offset, first, rest }
}
