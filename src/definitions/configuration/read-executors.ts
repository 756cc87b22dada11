import { findExecutorProblem, isExecutorName } from "../../agent/executor.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { Problem } from "../formats/problem.ts"
import { executorKeys, splitCommand } from "./executor-keys.ts"
import { type EntryContext, makeSettingProblem, readEntry } from "./read-entries.ts"

interface Executing extends EntryContext {
  /** Makes a path of this file absolute. */
  absolute(place: string): string
}

/** Reads the entries below `executors:`: splits commands into words, and makes paths absolute. Reports invalid entries. */
export function readExecutors(map: JsonMap, entries: Executing): JsonMap {
  const read: [string, JsonMap][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, name]
    const settings = readExecutor(name, value, at, entries)
    if ("problem" in settings)
      entries.report(
        makeSettingProblem(`\`${at.join(".")}\` ${settings.problem}. No run starts with this setting.`, at),
      )
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
    return { problem: "is not a valid name of an executor: use letters, digits, `.`, `_` and `-`" }
  if (!isMap(value)) return { problem: "must be keys and values, such as `command`" }
  if ((value.command ?? null) === null) return { problem: "names no program: add a `command`" }
  const problems: Problem[] = []
  const entry = readEntry(value, at, executorKeys, {
    ...entries,
    report: (problem) => problems.push(problem),
  })
  for (const problem of problems) entries.report(problem)
  // With only some of its keys, it would run another command than its author meant.
  if (problems.length > 0) return { problem: "has an invalid part" }
  const settings = normalise(entry, entries)
  const problem = findExecutorProblem(settings)
  return problem === undefined ? { value: settings } : { problem }
}

function normalise(entry: JsonMap, { absolute }: Executing) {
  const { command, options, writable, visible, ...rest } = entry
  const [program = "", ...words] = splitCommand(command!)
  const places = (list: Json) =>
    (list as readonly string[]).filter((place) => place !== "").map((place) => absolute(place))
  return {
    ...rest,
    command: [/^~|\//.test(program) ? absolute(program) : program, ...words],
    ...(options !== undefined && {
      options: Object.fromEntries(
        Object.entries(options as JsonMap).map(([name, line]) => [name, [...splitCommand(line)]]),
      ),
    }),
    ...(writable !== undefined && { writable: places(writable) }),
    ...(visible !== undefined && { visible: places(visible) }),
  }
}
