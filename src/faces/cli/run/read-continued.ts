import { withoutLinks } from "../../../ground/paths/without-links.ts"
import { fold } from "../../../run/begin/load.ts"
import type { Store } from "../../../run/log/store.ts"
import type { ProcessContext } from "../command.ts"
import { convertUnknownRun } from "../stored-runs/runs.ts"
import { projectRootOf } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { readStart } from "./read-start.ts"

/** Finds the ended run that a new run continues, and its agent. Throws if there is no such run, or if it has not ended. */
export async function readContinued(
  store: Store,
  id: string,
  surroundings: Pick<ProcessContext, "directory" | "environment">,
): Promise<{ readonly run: string; readonly agent: string }> {
  const { agent, cwd } = await convertUnknownRun(() => readStart(store, id))
  const [theirs, ours] = [cwd, surroundings.directory].map((directory) =>
    withoutLinks(projectRootOf({ ...surroundings, directory })),
  )
  if (theirs !== ours)
    throw new UsageError(
      `Run ${id} worked in another folder, ${JSON.stringify(cwd)}. Its files are not here. To continue it there, use --cwd ${JSON.stringify(cwd)}.`,
    )
  if (!(await fold(store, id))?.state.end)
    throw new UsageError(
      `Run ${id} has not ended, so it cannot be continued yet. \`cadre send ${id} TEXT\` sends it a message. \`cadre resume ${id}\` resumes it if no process drives it.`,
    )
  return { run: id, agent }
}
