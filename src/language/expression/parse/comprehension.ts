import { ExpressionFailure } from "../failure.ts"
import type { Clause, Comprehension, LoopTarget, Node } from "../node.ts"
import { findWordConstant, isReserved } from "../words.ts"
import type { TokenCursor } from "./cursor.ts"

/** Parses `for target in items if test …`, which follows the element. */
export function parseComprehension(
  cursor: TokenCursor,
  kind: Comprehension["kind"],
  { element, value }: { readonly element: Node; readonly value?: Node },
): Comprehension {
  if (element.type === "starred")
    throw new ExpressionFailure(
      '"*" is not allowed before a loop: each round gives one item.',
      element.offset,
    )
  const clauses: Clause[] = []
  while (cursor.is("for", "async")) {
    if (clauses.length >= mostLoops)
      throw new ExpressionFailure(
        `There are more than ${mostLoops} loops here.`,
        cursor.current.offset,
        "depth",
      )
    clauses.push(cursor.nested(() => parseClause(cursor)))
  }
  return { type: "comprehension", offset: element.offset, kind, element, value, clauses }
}

/** Python has the same limit. */
const mostLoops = 20

function parseClause(cursor: TokenCursor): Clause {
  cursor.expect("for")
  const target = parseTargets(cursor, "in")
  cursor.expect("in")
  const items = cursor.grammar.parseWithoutCondition(cursor)
  const tests: Node[] = []
  while (cursor.skip("if")) tests.push(cursor.grammar.parseWithoutCondition(cursor))
  return { target, items, tests }
}

/** Parses one name, or several with commas between them, into which an item is unpacked. In `[…]`, one name is unpacked too. */
function parseTargets(cursor: TokenCursor, close: string): LoopTarget {
  const { offset } = cursor.current
  const targets: Parsed[] = []
  let isList = close === "]"
  while (!cursor.is(close)) {
    targets.push(parseTarget(cursor))
    if (!cursor.skip(",")) break
    isList = true
  }
  const [only] = targets
  if (isList || (only === undefined && close === ")")) return unpacking(targets, offset)
  if (only === undefined || only.takesRest) throw cursor.unexpected("a name for the items of the loop")
  return only.target
}

interface Parsed {
  readonly target: LoopTarget
  /** True for `*name`. */
  readonly takesRest: boolean
}

function parseTarget(cursor: TokenCursor): Parsed {
  const takesRest = cursor.skip("*")
  const { type, offset, text } = cursor.current
  const close = text === "(" ? ")" : text === "[" ? "]" : undefined
  if (close !== undefined && type === "operator") {
    cursor.take()
    const target = cursor.nested(() => parseTargets(cursor, close))
    cursor.expect(close)
    return { target, takesRest }
  }
  if (type !== "name" || isReserved(text, "python") || findWordConstant(text, "python") !== undefined)
    throw cursor.unexpected("a name for the items of the loop")
  cursor.take()
  if (cursor.is(".", "[", "("))
    throw new ExpressionFailure("The variable of a loop must be a name.", cursor.current.offset)
  return { target: { type: "name", name: text, offset }, takesRest }
}

function unpacking(targets: readonly Parsed[], offset: number): LoopTarget {
  const starred = targets.flatMap(({ takesRest }, index) => (takesRest ? [index] : []))
  if (starred.length > 1)
    throw new ExpressionFailure('Only one of these names can take the rest with "*".', offset)
  return { type: "unpack", targets: targets.map(({ target }) => target), rest: starred[0], offset }
}

/** The names of the variables of a loop. */
export function listLoopNames(target: LoopTarget): readonly string[] {
  return target.type === "name" ? [target.name] : target.targets.flatMap(listLoopNames)
}
