import type { PlacedProblem } from "../ground/diagnostics/problem.ts"
import { findUnknownKeyProblems } from "../ground/known-keys.ts"

/** Further parts of an agent's prompt, besides its instructions. Keys that were not written are absent. */
export interface PromptContext {
  /**
   * The rules of the project: `AGENTS.md`, `CLAUDE.md` and `.cadre/rules.md` of every folder from the
   * repository's own down to the working directory.
   */
  readonly rules?: true
  /** Files of the project: paths or patterns from the repository's folder, such as `docs/*.md`. */
  readonly files?: readonly string[]
  /** The run's surroundings: the working directory, the platform, the day, the branch. */
  readonly environment?: true
  /** The run starts with its caller's history, and not with an empty one. */
  readonly fork?: true
  /** Claude Code: the first message of a main agent. It is kept and has no effect here. */
  readonly initialPrompt?: string
}

type Flag = "rules" | "environment" | "fork"

const flags: readonly Flag[] = ["rules", "environment", "fork"]
const keys: readonly string[] = [...flags, "files", "initialPrompt"]

/** Reads the context of a definition: keys and values, or `fork` alone. */
export function readPromptContext(value: unknown): {
  readonly context: PromptContext | undefined
  readonly problems: readonly PlacedProblem[]
} {
  if (value === "fork") return { context: { fork: true }, problems: [] }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      context: undefined,
      problems: [
        {
          path: [],
          message: `must be \`fork\` or have some of the keys ${keys.join(", ")}, but it is ${JSON.stringify(value)}`,
        },
      ],
    }
  const values = value as Readonly<Record<string, unknown>>
  const problems: PlacedProblem[] = [
    ...findUnknownKeyProblems(Object.keys(values), keys, () => "is not a key of a context"),
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

/** True if the path is spelled so that it stays in the project; links may still lead out of it. */
export const isProjectPath = (file: string): boolean =>
  !/^(?:[\\/]|[A-Za-z]:[\\/]|~(?:[\\/]|$))/.test(file) && !file.split(/[\\/]/).includes("..")

function fileProblem(file: unknown): string | undefined {
  if (typeof file !== "string" || file.trim() === "") return "must be a path or a pattern"
  if (isProjectPath(file)) return undefined
  return `must be a path inside the project, from the repository's folder, but it is ${JSON.stringify(file)}`
}
