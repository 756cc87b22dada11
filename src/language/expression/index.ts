import type { Json } from "../../ground/message.ts"
import { evaluateNode } from "./evaluate.ts"
import { attempt, type ExpressionProblem } from "./failure.ts"
import { createVariableScope, toJson } from "./json.ts"
import { type ExpressionLimits, Meter } from "./meter.ts"
import { listUsedNames, type NameUse } from "./names.ts"
import type { Node } from "./node.ts"
import { lex } from "./parse/lex.ts"
import { createCursor, parseExpressionNode } from "./parse/parse.ts"
import { isTrue } from "./value.ts"

export type { ExpressionProblem } from "./failure.ts"
export type { ExpressionLimits } from "./meter.ts"

export interface Expression {
  readonly type: "expression"
  readonly node: Node
}

export type ParsedExpression = Expression | { readonly type: "invalid"; readonly problem: ExpressionProblem }

export type Evaluated =
  /**
   * Jinja's undefined becomes null. `isTrue` says if Python counts the value as true: null, false, 0 and empty texts,
   * lists and dicts are false.
   */
  | { readonly type: "value"; readonly value: Json; readonly isTrue: boolean }
  | { readonly type: "failed"; readonly problem: ExpressionProblem }

/** Parses a Jinja expression such as `tool == "shell" and "pytest" in command`. Never throws. */
export function parseExpression(text: string): ParsedExpression {
  const parsed = attempt(() => {
    const cursor = createCursor(
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

/** Evaluates an expression over plain data. Never throws. At a limit, the evaluation fails. */
export function evaluate(
  { node }: Expression,
  variables: Readonly<Record<string, Json>>,
  limits?: Partial<ExpressionLimits>,
): Evaluated {
  const evaluated = attempt(() => {
    const meter = new Meter(limits)
    const value = evaluateNode(node, createVariableScope(variables, "jinja"), meter)
    return { type: "value", value: toJson(value, meter), isTrue: isTrue(value) } as const
  })
  return evaluated.type === "failed" ? evaluated : evaluated.result
}

/** Every use of a name in an expression, in the order of the text. A name can appear several times. */
export function listExpressionNames({ node }: Expression): readonly NameUse[] {
  return listUsedNames(node)
}
