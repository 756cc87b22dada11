import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import type { ProcessContext } from "../command.ts"
import { applyRetention } from "../stored-runs/retention.ts"
import { closeWithTimeout, storeOf } from "../stored-runs/runs.ts"
import { openRuns, type ProjectRuns } from "./open.ts"
import type { Driving } from "./options.ts"
import { getStartFolder, readStart, requireNoWeaker, requireTrustedTree } from "./read-start.ts"
import { requireUnchanged } from "./trust.ts"

/**
 * Opens the folder that the run was started in, wherever the command is called: agents and tools belong to that folder.
 * If the folder is gone, the tools report an error: the user did not allow them to work anywhere else.
 */
export async function driveResumed<Value>(
  id: string,
  driving: Driving,
  context: ProcessContext,
  work: (runs: ProjectRuns) => Promise<Value>,
): Promise<Value> {
  const store = storeOf(context)
  const directory = getStartFolder(await readStart(store, id))
  await requireNoWeaker(store, id, driving)
  const runs = openRuns({ ...context, directory }, store, {
    ...driving,
    model: "lenient",
    runs: "resumed",
  })
  try {
    requireValidConfiguration(runs, context.directory)
    requireUnchanged(runs, context.directory, driving.trust)
    if (driving.trust !== "all") await requireTrustedTree(store, id, runs.standing, context.directory)
    const value = await work(runs)
    await applyRetention(runs.configuration.retention, context)
    return value
  } finally {
    await closeWithTimeout(runs.runtime)
  }
}
