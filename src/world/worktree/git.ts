import { PathRefusal } from "../../ground/paths/refusal.ts"
import { findSystemProgram } from "../../ground/system-program.ts"
import { openGit } from "../tools/git.ts"

/** Runs git and returns its output. Throws a Refusal with git's own message if it fails. */
export type RunGit = (...words: readonly string[]) => Promise<string>

const mostBytes = 10_000_000
/** The checkout of a large repository takes long. */
const timeAllowed = 600_000

/** Runs git in a folder, as the tools do: no program that the repository's configuration names is run. */
export async function openGitIn(folder: string): Promise<RunGit> {
  const program = findSystemProgram("git")
  if (program === undefined) throw new PathRefusal("git is not installed")
  const git = await openGit(program, folder, new AbortController().signal)
  return async (...words) => {
    const { output, errors, exitCode, stopped } = await git(words, mostBytes, timeAllowed)
    if (exitCode === 0 && stopped === undefined) return output.toString()
    const why = stopped === undefined ? errors.slice(0, 1000).trim() : `git was stopped (${stopped})`
    throw new PathRefusal(`git ${words[0]} failed in ${folder}: ${why || `exit code ${exitCode}`}`)
  }
}

/** Undefined if git fails, for questions to which a failure means no. */
export const readOutputOrUndefined = (output: Promise<string>): Promise<string | undefined> =>
  output.then(
    (text) => text.trim(),
    (error) => {
      if (error instanceof PathRefusal) return undefined
      throw error
    },
  )

/** Lets one caller at a time change a repository, because git locks its files and does not wait. */
export async function withRepositoryLock<Value>(
  repository: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = queues.get(repository) ?? Promise.resolve()
  const turn = before.then(work)
  const after = turn.then(
    () => {},
    () => {},
  )
  queues.set(repository, after)
  try {
    return await turn
  } finally {
    if (queues.get(repository) === after) queues.delete(repository)
  }
}

const queues = new Map<string, Promise<void>>()
