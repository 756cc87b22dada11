import type { Json } from "../../ground/message.ts"
import { holds } from "../../language/expression/condition.ts"
import { namesIn } from "../../language/expression/names.ts"
import type { Node } from "../../language/expression/node.ts"

/** What a condition comes to whatever happens; undefined where that depends. */
export type Constant = { readonly type: "true" | "false" } | { readonly type: "fails"; readonly why: string }

/** What is told of a condition beforehand. */
export interface Foreknown {
  /** Names that have one value at every call. What an event does not offer is null. */
  readonly known: Readonly<Record<string, Json>>
  /** Names that have another one at every call. */
  readonly unknown: ReadonlySet<string>
}

/** Works out as much of a condition as does not depend on what nobody knows yet. */
export function constantOf(node: Node, foreknown: Foreknown): Constant | undefined {
  if (!namesIn(node).some(({ name }) => foreknown.unknown.has(name))) return answerOf(node, foreknown)
  switch (node.type) {
    case "logic":
      return inARow(node.operands, node.operator === "and" ? "false" : "true", foreknown)
    case "unary":
      return node.operator === "not" ? opposite(constantOf(node.operand, foreknown)) : undefined
    case "conditional":
      return chosen(node, foreknown)
    default:
      return undefined
  }
}

function answerOf(node: Node, { known }: Foreknown): Constant {
  const answer = holds({ type: "condition", text: "", node, names: [] }, known)
  if (answer.type === "failed") return { type: "fails", why: answer.problem.message }
  return { type: answer.isTrue ? "true" : "false" }
}

/** `and` ends with what is false, `or` with what is true; what fails before that fails them. */
function inARow(
  operands: readonly Node[],
  ending: "true" | "false",
  foreknown: Foreknown,
): Constant | undefined {
  let isOpen = false
  for (const operand of operands) {
    const constant = constantOf(operand, foreknown)
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
  foreknown: Foreknown,
): Constant | undefined {
  const tested = constantOf(test, foreknown)
  const other = (): Constant | undefined => (otherwise ? constantOf(otherwise, foreknown) : { type: "false" })
  if (tested?.type === "true") return constantOf(then, foreknown)
  if (tested) return tested.type === "false" ? other() : tested
  const [one, another] = [constantOf(then, foreknown), other()]
  return one && one.type === another?.type && one.type !== "fails" ? one : undefined
}
