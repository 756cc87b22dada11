import type { PlacedProblem } from "../ground/diagnostics/problem.ts"
import { findUnknownKeyProblems } from "../ground/known-keys.ts"
import { isProjectPath } from "./prompt-context.ts"

/** The condition under which a recorded result may answer a new run. */
export interface ResultCaching {
  /** Files that the result depends on: paths or patterns from the run's folder, such as `src/**`. */
  readonly inputs?: readonly string[]
}

/** Reads the `cache` of a definition: true, false, or the inputs. False is the same as no key. */
export function readResultCaching(value: unknown): {
  readonly cache: ResultCaching | undefined
  readonly problems: readonly PlacedProblem[]
} {
  if (typeof value === "boolean") return { cache: value ? {} : undefined, problems: [] }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse([], `must be true, false or \`{inputs: [PATH]}\`, but it is ${JSON.stringify(value)}`)
  const { inputs = [], ...rest } = value as { readonly inputs?: unknown }
  const problems: PlacedProblem[] = [
    ...findUnknownKeyProblems(Object.keys(rest), ["inputs"], () => "is not a key of `cache`"),
  ]
  if (!Array.isArray(inputs)) return refuse(["inputs"], "must be a list of paths or patterns")
  for (const [index, input] of inputs.entries())
    if (typeof input !== "string" || input.trim() === "" || !isProjectPath(input))
      problems.push({
        path: ["inputs", index],
        message: `must be a path or pattern inside the folder that it works in, but it is ${JSON.stringify(input)}`,
      })
  if (problems.length > 0) return { cache: undefined, problems }
  return { cache: inputs.length > 0 ? { inputs } : {}, problems }
}

const refuse = (path: PlacedProblem["path"], message: string) => ({
  cache: undefined,
  problems: [{ of: "value" as const, path, message }],
})
