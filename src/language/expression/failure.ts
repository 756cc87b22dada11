import type { TextProblem } from "../../ground/diagnostics/problem.ts"

/** What is wrong with an expression or template, and where in its text; `limit` is set when a limit was met. */
export interface ExpressionProblem extends Pick<TextProblem, "message" | "offset"> {
  readonly limit?: LimitKind
}

export type LimitKind = "steps" | "characters" | "items" | "digits" | "depth"

/** Nesting of source text and of values; what is deeper is refused before the stack of the process is in danger. */
export const maxDepth = 100

/** Runs code that reports problems by throwing a Failure, and gives the problem as data. */
export function attempt<Result>(
  work: () => Result,
): { type: "done"; result: Result } | { type: "failed"; problem: ExpressionProblem } {
  try {
    return { type: "done", result: work() }
  } catch (thrown) {
    if (thrown instanceof Failure) return { type: "failed", problem: thrown.problem }
    throw thrown
  }
}

/** Thrown inside this folder and the template folder only; `attempt` keeps it from leaving them. */
export class Failure extends Error {
  override readonly name = "Failure"
  readonly problem: ExpressionProblem

  constructor(message: string, offset: number, limit?: LimitKind) {
    super(message)
    this.problem = limit === undefined ? { message, offset } : { message, offset, limit }
  }
}
