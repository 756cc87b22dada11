import type { Json } from "../../ground/message.ts"
import { evaluateNode } from "./evaluate.ts"
import type { Names } from "./evaluator.ts"
import { attempt, type ExpressionProblem, Failure } from "./failure.ts"
import { functions, isOnlyCalled } from "./functions.ts"
import { toJson, variableNames } from "./json.ts"
import { type Limits, Meter } from "./meter.ts"
import { type Reference, referencesIn } from "./names.ts"
import type { Node } from "./node.ts"
import { lex } from "./parse/lex.ts"
import { cursorOver, parseExpressionNode } from "./parse/parse.ts"
import { refuseMistakes } from "./python/refuse.ts"
import { isTrue, type Value } from "./value.ts"

/** An expression of Python that is asked only whether it holds, with the names that it looks up. */
export interface Condition {
  readonly type: "condition"
  /** As it is written. */
  readonly text: string
  readonly node: Node
  readonly names: readonly Reference[]
}

const longestCondition = 10_000

/** Reads a condition such as `tool_name == "Bash" and "pytest" in command`. Never throws. */
export function parseCondition(
  text: string,
): Condition | { readonly type: "invalid"; readonly problem: ExpressionProblem } {
  const parsed = attempt(() => {
    if (text.length > longestCondition)
      throw new Failure(
        `A condition may have at most ${longestCondition} characters.`,
        longestCondition,
        "characters",
      )
    const { tokens } = lex(text, { start: 0, end: text.length, closers: [], dialect: "python" })
    const cursor = cursorOver(tokens, "python")
    const node = parseExpressionNode(cursor)
    cursor.expectEnd()
    const free = referencesIn(node)
    refuseMistakes(node, free)
    return { node, names: free.filter((use) => !isFunction(use)) }
  })
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  return { type: "condition", text, ...parsed.result }
}

/** A function has nothing to be looked up in it. */
const isFunction = ({ name, path, isCalled }: Reference): boolean =>
  functions.has(name) && path.length === 0 && (isCalled || !isOnlyCalled(name))

/**
 * Whether a condition holds. Unlike in Python, what is not there is null: a name, a key, whatever is looked up in null;
 * and nothing is in null. Never throws and never takes more than the limits.
 */
export function holds(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits: Partial<Limits> = conditionLimits,
):
  | { readonly type: "value"; readonly isTrue: boolean }
  | { readonly type: "failed"; readonly problem: ExpressionProblem } {
  const evaluated = attempt(() => isTrue(workOut(node, variables, new Meter(limits))))
  return evaluated.type === "failed" ? evaluated : { type: "value", isTrue: evaluated.result }
}

/** What a condition comes to as plain data, by the same rules. */
export function comesTo(
  { node }: Condition,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<Limits>,
):
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "failed"; readonly problem: ExpressionProblem } {
  const evaluated = attempt(() => {
    const meter = new Meter(limits)
    return toJson(workOut(node, variables, meter), meter)
  })
  return evaluated.type === "failed" ? evaluated : { type: "value", value: evaluated.result }
}

/** What a condition comes to as a value of Python. Throws a Failure. */
export function workOut(node: Node, variables: Readonly<Record<string, Json>>, meter: Meter): Value {
  const given = variableNames(variables, "python")
  const lookUp: Names["lookUp"] = (name, meter, use) => {
    if (use === "call") return functions.get(name) ?? given.lookUp(name, meter, use)
    return given.lookUp(name, meter, use) ?? (isOnlyCalled(name) ? undefined : functions.get(name))
  }
  return evaluateNode(node, { lookUp, dialect: "python" }, meter)
}

/** Some milliseconds at most: conditions are asked before every call. */
const conditionLimits: Limits = { steps: 200_000, characters: 1_000_000, items: 10_000 }
