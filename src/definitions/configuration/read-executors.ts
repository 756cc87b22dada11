import { executorProblem, isExecutorName } from "../../agent/executor.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { Problem } from "../formats/problem.ts"
import { executorKeys, wordsOf } from "./executor-keys.ts"
import { type Entries, readEntry, wrong } from "./read-entries.ts"

interface Executing extends Entries {
  /** The place that a path in this file means. */
  absolute(place: string): string
}

/** The entries below `executors:`, with their words taken apart and their paths made absolute. What is wrong is left out and said. */
export function readExecutors(map: JsonMap, entries: Executing): JsonMap {
  const read: [string, JsonMap][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, name]
    const settings = readExecutor(name, value, at, entries)
    if ("problem" in settings)
      entries.report(wrong(`\`${at.join(".")}\` ${settings.problem}; it is left out.`, at))
    else read.push([name, settings.value])
  }
  return Object.fromEntries(read)
}

function readExecutor(
  name: string,
  value: Json,
  at: readonly string[],
  entries: Executing,
): { readonly value: JsonMap } | { readonly problem: string } {
  if (!isExecutorName(name))
    return { problem: "is no name for an executor: use letters, digits, `.`, `_` and `-`" }
  if (!isMap(value)) return { problem: "must be keys and values, such as `command`" }
  if ((value.command ?? null) === null) return { problem: "names no program: give it a `command`" }
  const problems: Problem[] = []
  const entry = readEntry(value, at, executorKeys, { ...entries, report: (found) => problems.push(found) })
  for (const problem of problems) entries.report(problem)
  // With a part of what it says it would be another program than was meant.
  if (problems.length > 0) return { problem: "is wrong in a part that cannot be left out alone" }
  const settings = settled(entry, entries)
  const problem = executorProblem(settings)
  return problem === undefined ? { value: settings } : { problem }
}

function settled(entry: JsonMap, { absolute }: Executing) {
  const { command, options, writable, visible, ...rest } = entry
  const [program = "", ...words] = wordsOf(command!)
  const places = (list: Json) =>
    (list as readonly string[]).filter((place) => place !== "").map((place) => absolute(place))
  return {
    ...rest,
    command: [/^~|\//.test(program) ? absolute(program) : program, ...words],
    ...(options !== undefined && {
      options: Object.fromEntries(
        Object.entries(options as JsonMap).map(([name, line]) => [name, [...wordsOf(line)]]),
      ),
    }),
    ...(writable !== undefined && { writable: places(writable) }),
    ...(visible !== undefined && { visible: places(visible) }),
  }
}
