import type { PlacedProblem } from "../ground/diagnostics/problem.ts"
import { findUnknownKeyProblems } from "../ground/known-keys.ts"
import { isMap, type Json } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"

/**
 * A condition for the end of an agent's run. The runtime checks it by itself, and the result decides
 * `completed`.
 */
export type Postcondition =
  /** A file of the workspace exists; with `contains`, and this text is in it. */
  | { readonly file: string; readonly contains?: string }
  /**
   * A command ends with exit code 0. It runs as the Bash tool runs it, under the same rules; `timeout` in
   * milliseconds.
   */
  | { readonly command: string; readonly timeout?: number }
  /** The JSON in a file matches a schema; without `file`, the result that the run submits. */
  | { readonly schema: JsonSchema; readonly file?: string }

/** More conditions would not be read, and each of them is recorded. */
const most = 50

const shapes = {
  schema: ["schema", "file"],
  command: ["command", "timeout"],
  file: ["file", "contains"],
} as const

/** Everything that is wrong with a list of postconditions, from any source. */
export function findPostconditionProblems(list: unknown): readonly PlacedProblem[] {
  if (!Array.isArray(list)) return [wrong([], "must be a list")]
  if (list.length > most) return [wrong([], `has ${list.length} entries, but at most ${most} are allowed`)]
  return list.flatMap((entry: unknown, index) => entryProblems(entry, index))
}

function entryProblems(entry: unknown, index: number): readonly PlacedProblem[] {
  const kind = kindOf(entry)
  if (kind === undefined)
    return [
      wrong(
        [index],
        "must be `{file: PATH, contains: TEXT}`, `{command: TEXT, timeout: TIME}` or `{schema: JSON SCHEMA, file: PATH}`",
      ),
    ]
  const allowedKeys: readonly string[] = shapes[kind]
  return Object.entries(entry as { [key: string]: Json }).flatMap(
    ([key, value]): readonly PlacedProblem[] => {
      if (!allowedKeys.includes(key))
        return findUnknownKeyProblems(
          [key],
          allowedKeys,
          () => `is not a key of a postcondition with \`${kind}\``,
          [index],
        )
      const expected = expectedOf(key, value)
      return expected === undefined ? [] : [wrong([index, key], `must be ${expected}`)]
    },
  )
}

function kindOf(entry: unknown): keyof typeof shapes | undefined {
  if (!isMap(entry)) return undefined
  return (["schema", "command", "file"] as const).find((key) => entry[key] !== undefined)
}

function expectedOf(key: string, value: Json): string | undefined {
  switch (key) {
    case "schema":
      return isMap(value) ? undefined : "a JSON Schema: keys and values"
    case "timeout":
      return typeof value === "number" && Number.isFinite(value) && value > 0 ? undefined : "a time above 0"
    default:
      return typeof value === "string" && value.trim() !== "" && !value.includes("\0")
        ? undefined
        : "text that is not empty"
  }
}

/** A postcondition in a few words, for people and models. */
export function describePostcondition(condition: Postcondition): string {
  if ("command" in condition) return `the command \`${condition.command}\` passes`
  if ("schema" in condition)
    return `${condition.file === undefined ? "the result" : `the JSON in ${condition.file}`} fits its schema`
  return condition.contains === undefined
    ? `the file ${condition.file} exists`
    : `the file ${condition.file} contains ${JSON.stringify(condition.contains)}`
}

const wrong = (path: PlacedProblem["path"], message: string): PlacedProblem => ({
  path,
  message,
})
