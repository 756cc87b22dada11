import type { Configuration } from "../../configuration/configuration.ts"
import { knownNames } from "../../errors.ts"
import type { Workspace } from "../../registry/workspace.ts"
import { quoteWords } from "../../shell/quote.ts"
import type { Surroundings } from "../command.ts"
import { programOf } from "../executor-program.ts"
import type { Finding } from "./examine.ts"

/** Programs that agents can be run by, whether they are there, and agents whose program is not configured. */
export function examineExecutors(
  { environment }: Pick<Surroundings, "environment">,
  { registry }: Pick<Workspace, "registry">,
  root: string,
  { executors }: Configuration,
): readonly Finding[] {
  const known = Object.entries(executors).map(([name, { command }]): Finding => {
    const program = programOf(command, { environment, root })
    const finding = { part: "Tools", what: `executor ${name}` } as const
    if ("path" in program)
      return { ...finding, state: program.path, level: "fine", reason: `${quoteWords(command)}.` }
    const [first, ...rest] = program.problem
    return {
      ...finding,
      state: "not found",
      level: "broken",
      reason: `${first!.toUpperCase()}${rest.join("")}`,
    }
  })
  const unknown = registry.all().flatMap(({ name, executor }): readonly Finding[] =>
    executor === undefined || Object.hasOwn(executors, executor)
      ? []
      : [
          {
            part: "Tools",
            what: `executor ${executor}`,
            state: "not configured",
            level: "broken",
            reason: `The agent ${name} is run by it. ${knownNames(executor, Object.keys(executors))}`,
            remedy: "Name its command below `executors:` in your config.yaml.",
          },
        ],
  )
  return [...known, ...unknown]
}
