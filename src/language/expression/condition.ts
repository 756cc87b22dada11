import type { Json } from "../../ground/message.ts"
import { evaluateNode } from "./evaluate.ts"
import type { NameScope } from "./evaluator.ts"
import { attempt, ExpressionFailure, type ExpressionProblem } from "./failure.ts"
import { functions, isOnlyCalled } from "./functions.ts"
import { createVariableScope, toJson } from "./json.ts"
import { type ExpressionLimits, Meter } from "./meter.ts"
import { listReferences, type NameReference } from "./names.ts"
import type { Node } from "./node.ts"
import { lex } from "./parse/lex.ts"
import { createCursor, parseExpressionNode } from "./parse/parse.ts"
import { refuseMistakes } from "./python/refuse.ts"
import { isTrue, type Value } from "./value.ts"

/** A Python expression of which only the truth counts, with the names that it uses. */
export interface Condition {
  readonly type: "condition"
  /** The source text. */
  readonly text: string
  readonly node: Node
  readonly names: readonly NameReference[]
}

const longestCondition = 10_000

/** Reads a condition such as `tool_name == "Bash" and "pytest" in command`. Never throws. */
export function parseCondition(
  text: string,
): Condition | { readonly type: "invalid"; readonly problem: ExpressionProblem } {
  const parsed = attempt(() => {
    if (text.length > longestCondition)
      throw new ExpressionFailure(
        `A condition may have at most ${longestCondition} characters.`,
        longestCondition,
        "characters",
      )
    const { tokens } = lex(text, { start: 0, end: text.length, closers: [], dialect: "python" })
    const cursor = createCursor(tokens, "python")
    const node = parseExpressionNode(cursor)
    cursor.expectEnd()
    const free = listReferences(node)
    refuseMistakes(node, free)
    return { node, names: free.filter((use) => !isFunction(use)) }
  })
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  return { type: "condition", text, ...parsed.result }
}

/** True if a reference is a plain function. A name with a path, such as `round.x`, is a variable. */
const isFunction = ({ name, path, isCalled }: NameReference): boolean =>
  functions.has(name) && path.length === 0 && (isCalled || !isOnlyCalled(name))

/**
 * Tells whether a condition holds. Unlike in Python, a missing name or key is null, a key of null is null, and nothing is in
 * null. Never throws, and never exceeds the limits.
 */
export function checkCondition(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits: Partial<ExpressionLimits> = conditionLimits,
):
  | { readonly type: "value"; readonly isTrue: boolean }
  | { readonly type: "failed"; readonly problem: ExpressionProblem } {
  const evaluated = attempt(() => isTrue(evaluateCondition(node, variables, new Meter(limits))))
  return evaluated.type === "failed" ? evaluated : { type: "value", isTrue: evaluated.result }
}

/** Evaluates a condition to plain data, by the same rules. */
export function evaluateToJson(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<ExpressionLimits>,
):
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "failed"; readonly problem: ExpressionProblem } {
  const evaluated = attempt(() => {
    const meter = new Meter(limits)
    return toJson(evaluateCondition(node, variables, meter), meter)
  })
  return evaluated.type === "failed" ? evaluated : { type: "value", value: evaluated.result }
}

/** Evaluates a condition to a value of Python. Throws a Failure. */
export function evaluateCondition(
  node: Node,
  variables: Readonly<Record<string, Json>>,
  meter: Meter,
): Value {
  const scope = createVariableScope(variables, "python")
  const lookUp: NameScope["lookUp"] = (name, meter, use) => {
    if (use === "call") return functions.get(name) ?? scope.lookUp(name, meter, use)
    return scope.lookUp(name, meter, use) ?? (isOnlyCalled(name) ? undefined : functions.get(name))
  }
  return evaluateNode(node, { lookUp, dialect: "python" }, meter)
}

/** Bounds a condition to a few milliseconds, because conditions run before every call. */
const conditionLimits: ExpressionLimits = { steps: 200_000, characters: 1_000_000, items: 10_000 }
