import type { Arithmetic, Node, Operation } from "../node.ts"
import type { TokenCursor } from "./cursor.ts"
import { parseOperand } from "./operand.ts"
import { parsePostfix } from "./postfix.ts"

/** Parses Jinja's arithmetic: everything that binds tighter than a comparison. */
export function parseSum(cursor: TokenCursor): Node {
  return parseArithmetic(cursor, ["+", "-"], parseConcat)
}

function parseConcat(cursor: TokenCursor): Node {
  const first = parseProduct(cursor)
  if (!cursor.is("~")) return first
  const operands = [first]
  while (cursor.skip("~")) operands.push(parseProduct(cursor))
  return { type: "concat", offset: first.offset, operands }
}

function parseProduct(cursor: TokenCursor): Node {
  return parseArithmetic(cursor, ["*", "/", "//", "%"], parsePowers)
}

/** Parses powers from left to right, as in Jinja and unlike Python: `2 ** 3 ** 2` is 64, and `-2 ** 2` is 4. */
function parsePowers(cursor: TokenCursor): Node {
  return parseArithmetic(cursor, ["**"], parseOperand)
}

/** Parses Python's arithmetic: everything that binds tighter than a comparison. */
export function parseBits(cursor: TokenCursor): Node {
  return parseLevel(cursor, 0)
}

/** The operators, from the loosest to the tightest level. */
const levels: readonly (readonly Arithmetic[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%"],
]

function parseLevel(cursor: TokenCursor, level: number): Node {
  const operators = levels[level]
  if (operators === undefined) return parseSign(cursor)
  return parseArithmetic(cursor, operators, () => parseLevel(cursor, level + 1))
}

function parseSign(cursor: TokenCursor): Node {
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

/** Parses powers from right to left. They bind tighter than a sign: `2 ** 3 ** 2` is 512, and `-2 ** 2` is -4. */
function parsePower(cursor: TokenCursor): Node {
  const first = parsePostfix(cursor)
  if (!cursor.is("**")) return first
  const { offset } = cursor.take()
  const operand = cursor.nested(() => parseSign(cursor))
  return { type: "arithmetic", offset: first.offset, first, rest: [{ operator: "**", offset, operand }] }
}

function parseArithmetic(
  cursor: TokenCursor,
  operators: readonly Arithmetic[],
  parseNext: (cursor: TokenCursor) => Node,
): Node {
  const first = parseNext(cursor)
  const rest: Operation<Arithmetic>[] = []
  while (cursor.is(...operators)) {
    const { text, offset } = cursor.take()
    rest.push({ operator: text as Arithmetic, offset, operand: parseNext(cursor) })
  }
  return rest.length === 0 ? first : { type: "arithmetic", offset: first.offset, first, rest }
}
