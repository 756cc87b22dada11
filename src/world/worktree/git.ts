import { Refusal } from "../../ground/paths/refusal.ts"
import { fixedProgram } from "../tools/fixed-program.ts"
import { openGit } from "../tools/git.ts"

/** Runs git and gives what it printed; throws a Refusal with git's own words where it fails. */
export type RunGit = (...words: readonly string[]) => Promise<string>

const mostBytes = 10_000_000
/** A checkout of a large repository takes its time. */
const timeAllowed = 600_000

/** Git in a folder, as the tools run it: nothing that the repository's configuration names is run. */
export async function gitIn(folder: string): Promise<RunGit> {
  const program = fixedProgram("git")
  if (program === undefined) throw new Refusal("git is not installed here")
  const git = await openGit(program, folder, new AbortController().signal)
  return async (...words) => {
    const { output, errors, exitCode, stopped } = await git(words, mostBytes, timeAllowed)
    if (exitCode === 0 && stopped === undefined) return output.toString()
    const why = stopped === undefined ? errors.slice(0, 1000).trim() : `it was stopped (${stopped})`
    throw new Refusal(`git ${words[0]} failed in ${folder}: ${why || `exit code ${exitCode}`}`)
  }
}

/** The same where a failure says no more than no. */
export const answerOf = (asked: Promise<string>): Promise<string | undefined> =>
  asked.then(
    (text) => text.trim(),
    (error) => {
      if (error instanceof Refusal) return undefined
      throw error
    },
  )

/** Git locks what it changes and waits for nobody, so one repository is changed by one at a time. */
export async function alone<Value>(repository: string, work: () => Promise<Value>): Promise<Value> {
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
