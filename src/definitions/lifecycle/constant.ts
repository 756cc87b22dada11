import type { Json } from "../../ground/message.ts"
import { checkCondition } from "../../language/expression/condition.ts"
import { listUsedNames } from "../../language/expression/names.ts"
import type { Node } from "../../language/expression/node.ts"

/** The result of a condition that does not depend on the call. */
export type Constant = { readonly type: "true" | "false" } | { readonly type: "fails"; readonly why: string }

/** The names whose values are known before any call, and the names whose values are not. */
export interface KnownValues {
  /** Names that have the same value at every call. Names that the event does not provide are null. */
  readonly values: Readonly<Record<string, Json>>
  /** Names whose values differ from call to call. */
  readonly unknown: ReadonlySet<string>
}

/** Evaluates a condition without its unknown values. Undefined: the result depends on them. */
export function evaluateConstant(node: Node, foreknown: KnownValues): Constant | undefined {
  if (!listUsedNames(node).some(({ name }) => foreknown.unknown.has(name))) return answerOf(node, foreknown)
  switch (node.type) {
    case "logic":
      return inARow(node.operands, node.operator === "and" ? "false" : "true", foreknown)
    case "unary":
      return node.operator === "not" ? opposite(evaluateConstant(node.operand, foreknown)) : undefined
    case "conditional":
      return chosen(node, foreknown)
    default:
      return undefined
  }
}

function answerOf(node: Node, { values }: KnownValues): Constant {
  const answer = checkCondition({ type: "condition", text: "", node, names: [] }, values)
  if (answer.type === "failed") return { type: "fails", why: answer.problem.message }
  return { type: answer.isTrue ? "true" : "false" }
}

/** `and` stops at the first false operand, `or` at the first true one. An operand that fails before that fails the whole. */
function inARow(
  operands: readonly Node[],
  ending: "true" | "false",
  foreknown: KnownValues,
): Constant | undefined {
  let isOpen = false
  for (const operand of operands) {
    const constant = evaluateConstant(operand, foreknown)
    if (constant?.type === ending) return constant
    if (constant?.type === "fails") return isOpen ? undefined : constant
    if (!constant) isOpen = true
  }
  return isOpen ? undefined : { type: ending === "false" ? "true" : "false" }
}

function opposite(constant: Constant | undefined): Constant | undefined {
  if (!constant || constant.type === "fails") return constant
  return { type: constant.type === "true" ? "false" : "true" }
}

function chosen(
  { test, then, otherwise }: Extract<Node, { type: "conditional" }>,
  foreknown: KnownValues,
): Constant | undefined {
  const tested = evaluateConstant(test, foreknown)
  const other = (): Constant | undefined =>
    otherwise ? evaluateConstant(otherwise, foreknown) : { type: "false" }
  if (tested?.type === "true") return evaluateConstant(then, foreknown)
  if (tested) return tested.type === "false" ? other() : tested
  const [one, another] = [evaluateConstant(then, foreknown), other()]
  return one && one.type === another?.type && one.type !== "fails" ? one : undefined
}
