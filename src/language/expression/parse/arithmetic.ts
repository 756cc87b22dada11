import type { Arithmetic, Node, Operation } from "../node.ts"
import type { Cursor } from "./cursor.ts"
import { parseOperand } from "./operand.ts"
import { parsePostfix } from "./postfix.ts"

/** Jinja's arithmetic: everything that binds tighter than a comparison. */
export function parseSum(cursor: Cursor): Node {
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
  return parseArithmetic(cursor, ["*", "/", "//", "%"], parsePowers)
}

/** As in Jinja and unlike Python, from left to right: `2 ** 3 ** 2` is 64, and `-2 ** 2` is 4. */
function parsePowers(cursor: Cursor): Node {
  return parseArithmetic(cursor, ["**"], parseOperand)
}

/** Python's arithmetic: everything that binds tighter than a comparison. */
export function parseBits(cursor: Cursor): Node {
  return parseLevel(cursor, 0)
}

/** What binds tighter comes later. */
const levels: readonly (readonly Arithmetic[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%"],
]

function parseLevel(cursor: Cursor, level: number): Node {
  const operators = levels[level]
  if (operators === undefined) return parseSign(cursor)
  return parseArithmetic(cursor, operators, () => parseLevel(cursor, level + 1))
}

function parseSign(cursor: Cursor): Node {
  const { offset, text } = cursor.current
  if (!cursor.is("-", "+", "~")) return parsePower(cursor)
  cursor.take()
  return {
    type: "unary",
    offset,
    operator: text as "-" | "+" | "~",
    operand: cursor.nested(() => parseSign(cursor)),
  }
}

/** From right to left, and tighter than a sign before it: `2 ** 3 ** 2` is 512, and `-2 ** 2` is -4. */
function parsePower(cursor: Cursor): Node {
  const first = parsePostfix(cursor)
  if (!cursor.is("**")) return first
  const { offset } = cursor.take()
  const operand = cursor.nested(() => parseSign(cursor))
  return { type: "arithmetic", offset: first.offset, first, rest: [{ operator: "**", offset, operand }] }
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
