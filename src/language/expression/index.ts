import type { Json } from "../../ground/message.ts"
import { evaluateNode } from "./evaluate.ts"
import { attempt, type ExpressionProblem } from "./failure.ts"
import { toJson, variableNames } from "./json.ts"
import { type Limits, Meter } from "./meter.ts"
import { type NameUse, namesIn } from "./names.ts"
import type { Node } from "./node.ts"
import { lex } from "./parse/lex.ts"
import { cursorOver, parseExpressionNode } from "./parse/parse.ts"
import { isTrue } from "./value.ts"

export type { ExpressionProblem } from "./failure.ts"
export type { Limits } from "./meter.ts"

export interface Expression {
  readonly type: "expression"
  readonly node: Node
}

export type ParsedExpression = Expression | { readonly type: "invalid"; readonly problem: ExpressionProblem }

export type Evaluated =
  /** `value` is null for what is undefined; `isTrue` is Python's truth of it: empty texts, lists and dicts are false. */
  | { readonly type: "value"; readonly value: Json; readonly isTrue: boolean }
  | { readonly type: "failed"; readonly problem: ExpressionProblem }

/** Reads an expression of Jinja such as `tool == "shell" and "pytest" in command`. Never throws. */
export function parseExpression(text: string): ParsedExpression {
  const parsed = attempt(() => {
    const cursor = cursorOver(
      lex(text, { start: 0, end: text.length, closers: [], dialect: "jinja" }).tokens,
      "jinja",
    )
    const node = parseExpressionNode(cursor)
    cursor.expectEnd()
    return node
  })
  if (parsed.type === "failed") return { type: "invalid", problem: parsed.problem }
  return { type: "expression", node: parsed.result }
}

/** Works out an expression over plain data. Never throws and never takes more than the limits. */
export function evaluate(
  { node }: Expression,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<Limits>,
): Evaluated {
  const evaluated = attempt(() => {
    const meter = new Meter(limits)
    const value = evaluateNode(node, variableNames(variables, "jinja"), meter)
    return { type: "value", value: toJson(value, meter), isTrue: isTrue(value) } as const
  })
  return evaluated.type === "failed" ? evaluated : evaluated.result
}

/** The names that an expression looks up, in the order in which they are written. */
export function variablesIn({ node }: Expression): readonly NameUse[] {
  return namesIn(node)
}
