import type { PlacedProblem } from "../ground/diagnostics/problem.ts"
import { unknownKeys } from "../ground/known-keys.ts"

/** What else goes into the prompt of an agent besides its instructions. What was not said is absent. */
export interface PromptContext {
  /**
   * The rules of the project: `AGENTS.md`, `CLAUDE.md` and `.cadre/rules.md` of every folder from the repository's own
   * down to the working directory.
   */
  readonly rules?: true
  /** Files of the project: paths or patterns from the repository's folder, such as `docs/*.md`. */
  readonly files?: readonly string[]
  /** Where it works: the working directory, the platform, the day, the branch. */
  readonly environment?: true
  /** It starts with the history of whoever calls it, and not with an empty one. */
  readonly fork?: true
  /** Claude Code: the first message where it is the main agent. It is kept and has no effect here. */
  readonly initialPrompt?: string
}

type Flag = "rules" | "environment" | "fork"

const flags: readonly Flag[] = ["rules", "environment", "fork"]
const keys: readonly string[] = [...flags, "files", "initialPrompt"]

/** Reads what a definition says of its context: keys and values, or `fork` alone. */
export function readPromptContext(given: unknown): {
  readonly context: PromptContext | undefined
  readonly problems: readonly PlacedProblem[]
} {
  if (given === "fork") return { context: { fork: true }, problems: [] }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return {
      context: undefined,
      problems: [
        {
          path: [],
          message: `must be \`fork\` or have some of the keys ${keys.join(", ")}, but it is ${JSON.stringify(given)}`,
        },
      ],
    }
  const values = given as Readonly<Record<string, unknown>>
  const problems: PlacedProblem[] = [
    ...unknownKeys(Object.keys(values), keys, () => "is no key of a context"),
    ...flags.flatMap((key) => flagProblem(key, values[key])),
  ]
  const { files, initialPrompt } = values
  problems.push(...filesProblems(files))
  if (initialPrompt !== undefined && typeof initialPrompt !== "string")
    problems.push({ path: ["initialPrompt"], message: "must be text" })
  if (problems.length > 0) return { context: undefined, problems }
  const context: PromptContext = {
    ...Object.fromEntries(flags.filter((key) => values[key] === true).map((key) => [key, true])),
    ...(Array.isArray(files) && files.length > 0 && { files: files as readonly string[] }),
    ...(typeof initialPrompt === "string" && { initialPrompt }),
  }
  return { context: Object.keys(context).length > 0 ? context : undefined, problems }
}

const flagProblem = (key: Flag, value: unknown): readonly PlacedProblem[] =>
  value === undefined || typeof value === "boolean"
    ? []
    : [{ path: [key], message: `must be true or false, but it is ${JSON.stringify(value)}` }]

function filesProblems(files: unknown): readonly PlacedProblem[] {
  if (files === undefined) return []
  if (!Array.isArray(files)) return [{ path: ["files"], message: "must be a list of paths or patterns" }]
  return files.flatMap((file, index): readonly PlacedProblem[] => {
    const wrong = fileProblem(file)
    return wrong === undefined ? [] : [{ path: ["files", index], message: wrong }]
  })
}

/** Whether it is spelled as a path that leads nowhere else; links may still lead it. */
export const isProjectPath = (file: string): boolean =>
  !/^(?:[\\/]|[A-Za-z]:[\\/]|~(?:[\\/]|$))/.test(file) && !file.split(/[\\/]/).includes("..")

function fileProblem(file: unknown): string | undefined {
  if (typeof file !== "string" || file.trim() === "") return "must be a path or a pattern"
  if (isProjectPath(file)) return undefined
  return `must be a path inside the project, from the repository's folder, but it is ${JSON.stringify(file)}`
}
