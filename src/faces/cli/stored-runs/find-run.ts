import { listKnownNames } from "../../../ground/errors.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import { listNames } from "../../../world/stores/jsonl/list-names.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { ProcessContext } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { locateRunsFolder } from "./runs-folder.ts"

/** The ids of all root runs, the newest first. */
export const listRootRuns = (folder: string): readonly string[] =>
  listNames(folder)
    .filter((name) => isRunId(name) && getRootRun(name) === name)
    .sort()
    .reverse()

/** Finds the run for a word of the command line: an id, the beginning of an id, `last`, or `last:AGENT`. */
export async function findRun(
  word: string,
  surroundings: Pick<ProcessContext, "environment">,
): Promise<string> {
  const folder = locateRunsFolder(surroundings)
  const lastOf = /^last:(.+)$/s.exec(word)
  if (lastOf) return newestOf(lastOf[1]!, folder)
  const [start = "", ...below] = word.split(".")
  if (isRunId(word) || !/^(?:last|[0-9a-hjkmnp-tv-z]{1,25})$/.test(start)) return word
  const roots = listRootRuns(folder)
  const matches = start === "last" ? roots.slice(0, 1) : roots.filter((root) => root.startsWith(start))
  if (matches.length > 1)
    throw new UsageError(
      `${JSON.stringify(start)} matches ${matches.length} runs: ${matches.slice(0, 3).join(", ")}${matches.length > 3 ? " and more" : ""}. Write more of the id.`,
    )
  if (start === "last" && matches.length === 0) throw new UsageError("There are no runs yet.")
  return matches.length === 0 ? word : [matches[0], ...below].join(".")
}

async function newestOf(agent: string, folder: string): Promise<string> {
  const store = jsonlStore({ directory: folder })
  try {
    for await (const { run } of store.list({ agent })) return run
    const agents = new Set<string>()
    for await (const head of store.list({})) agents.add(head.agent)
    throw new UsageError(
      agents.size === 0
        ? "There are no runs yet."
        : `There is no run of agent ${JSON.stringify(agent)}. ${listKnownNames(agent, [...agents])}`,
    )
  } finally {
    await store.close()
  }
}
