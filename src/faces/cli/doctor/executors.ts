import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { quoteWords } from "../../../world/shell/quote.ts"
import type { ProcessContext } from "../command.ts"
import { findExecutorProgram } from "../executor-program.ts"
import type { DoctorFinding } from "./finding.ts"

/** Checks whether the program of each configured executor is installed. */
export function examineExecutors(
  { environment }: Pick<ProcessContext, "environment">,
  root: string,
  { executors }: Configuration,
): readonly DoctorFinding[] {
  return Object.entries(executors).map(([name, { command }]): DoctorFinding => {
    const program = findExecutorProgram(command, { environment, root })
    const finding = { part: "Tools", what: `executor ${name}` } as const
    if ("path" in program)
      return { ...finding, state: program.path, level: "fine", reason: `${quoteWords(command)}.` }
    return {
      ...finding,
      state: "not found",
      level: "broken",
      reason: `Runs with this executor will fail: ${program.problem}`,
    }
  })
}
