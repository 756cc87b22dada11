import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { quoteWords } from "../../../world/shell/quote.ts"
import type { Surroundings } from "../command.ts"
import { programOf } from "../executor-program.ts"
import type { Examined } from "./examined.ts"

/** Programs that agents can be run by, and whether they are there. */
export function examineExecutors(
  { environment }: Pick<Surroundings, "environment">,
  root: string,
  { executors }: Configuration,
): readonly Examined[] {
  return Object.entries(executors).map(([name, { command }]): Examined => {
    const program = programOf(command, { environment, root })
    const finding = { part: "Tools", what: `executor ${name}` } as const
    if ("path" in program)
      return { ...finding, state: program.path, level: "fine", reason: `${quoteWords(command)}.` }
    return {
      ...finding,
      state: "not found",
      level: "broken",
      reason: `Runs that it does would fail: ${program.problem}`,
    }
  })
}
