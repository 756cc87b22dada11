import type { TextProblem } from "../../ground/diagnostics/problem.ts"

/** A problem of an expression or template, with its offset. `limit` is set if a limit was reached. */
export interface ExpressionProblem extends Pick<TextProblem, "message" | "offset"> {
  readonly limit?: LimitKind
}

export type LimitKind = "steps" | "characters" | "items" | "digits" | "depth"

/** The deepest nesting of source text and of values. Deeper nesting is refused, because it could overflow the stack. */
export const deepestNesting = 100

/** Runs code that may throw a Failure, and returns the problem as data. */
export function attempt<Result>(
  work: () => Result,
): { type: "done"; result: Result } | { type: "failed"; problem: ExpressionProblem } {
  try {
    return { type: "done", result: work() }
  } catch (thrown) {
    if (thrown instanceof ExpressionFailure) return { type: "failed", problem: thrown.problem }
    throw thrown
  }
}

/** Thrown only inside the folders of expressions and templates. `attempt` catches it. */
export class ExpressionFailure extends Error {
  override readonly name = "Failure"
  readonly problem: ExpressionProblem

  constructor(message: string, offset: number, limit?: LimitKind) {
    super(message)
    this.problem = limit === undefined ? { message, offset } : { message, offset, limit }
  }
}
