import type { PlacedProblem } from "../ground/diagnostics/problem.ts"
import { unknownKeys } from "../ground/known-keys.ts"
import { isProjectPath } from "./prompt-context.ts"

/** When the recorded result of an earlier run may answer a new one. */
export interface ResultCaching {
  /** Files that the result depends on: paths or patterns from the folder it works in, such as `src/**`. */
  readonly inputs?: readonly string[]
}

/** Reads what a definition says of `cache`: true, false, or the inputs. False is the same as nothing. */
export function readResultCaching(given: unknown): {
  readonly cache: ResultCaching | undefined
  readonly problems: readonly PlacedProblem[]
} {
  if (typeof given === "boolean") return { cache: given ? {} : undefined, problems: [] }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refused([], `must be true, false or \`{inputs: [PATH]}\`, but it is ${JSON.stringify(given)}`)
  const { inputs = [], ...rest } = given as { readonly inputs?: unknown }
  const problems: PlacedProblem[] = [
    ...unknownKeys(Object.keys(rest), ["inputs"], () => "is no key of `cache`"),
  ]
  if (!Array.isArray(inputs)) return refused(["inputs"], "must be a list of paths or patterns")
  for (const [index, input] of inputs.entries())
    if (typeof input !== "string" || input.trim() === "" || !isProjectPath(input))
      problems.push({
        path: ["inputs", index],
        message: `must be a path or pattern inside the folder that it works in, but it is ${JSON.stringify(input)}`,
      })
  if (problems.length > 0) return { cache: undefined, problems }
  return { cache: inputs.length > 0 ? { inputs } : {}, problems }
}

const refused = (path: PlacedProblem["path"], message: string) => ({
  cache: undefined,
  problems: [{ of: "value" as const, path, message }],
})
