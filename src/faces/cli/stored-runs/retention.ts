import fs from "node:fs"
import path from "node:path"
import { readAge } from "../../../definitions/formats/fields/duration.ts"
import { describeThrown } from "../../../ground/errors.ts"
import { jsonlStore } from "../../../world/stores/jsonl.ts"
import type { ProcessContext } from "../command.ts"
import { locateRunsFolder } from "./runs-folder.ts"

/**
 * Removes runs that are older than the user's `retention`, after a run and at most once a day. The removal is reported. If
 * it fails, the command does not fail.
 */
export async function applyRetention(
  retention: string | undefined,
  context: Pick<ProcessContext, "environment" | "stderr" | "now">,
): Promise<void> {
  const olderThan = readAge(retention)
  if (olderThan === undefined) return
  const folder = locateRunsFolder(context)
  const now = (context.now ?? Date.now)()
  if (!isDue(path.join(folder, "pruned"), now)) return
  const store = jsonlStore({ directory: folder })
  try {
    const { pruneRuns } = await import("./prune-runs.ts")
    const { removed } = await pruneRuns(store, { olderThan }, { ...context, now, mode: "remove" })
    if (removed.length > 0)
      context.stderr.write(
        `Removed ${removed.length} ${removed.length === 1 ? "run" : "runs"} that ended over ${retention} ago, because your configuration has \`retention: ${retention}\`.\n`,
      )
  } catch (error) {
    context.stderr.write(`Old runs were not removed: ${describeThrown(error)}\n`)
  } finally {
    await store.close()
  }
}

const day = 24 * 60 * 60 * 1_000

/** True if the last removal is a day ago. Then now is recorded as the last time, even if the removal fails. */
function isDue(file: string, now: number): boolean {
  const last = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
  // A time in the future comes from a wrong clock.
  if (last !== undefined && last <= now && now - last < day) return false
  fs.writeFileSync(file, "", { mode: 0o600 })
  fs.utimesSync(file, now / 1_000, now / 1_000)
  return true
}
