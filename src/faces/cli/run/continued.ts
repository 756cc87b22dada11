import { withoutLinks } from "../../../ground/paths/without-links.ts"
import { fold } from "../../../run/begin/load.ts"
import type { Store } from "../../../run/log/store.ts"
import type { Surroundings } from "../command.ts"
import { unknownRunIsUsage } from "../stored-runs/runs.ts"
import { rootOf } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { readStart } from "./started.ts"

/** The ended run that a new one goes on with: whose it was. Throws where there is none of that id, or none to go on with. */
export async function readContinued(
  store: Store,
  id: string,
  surroundings: Pick<Surroundings, "directory" | "environment">,
): Promise<{ readonly run: string; readonly agent: string }> {
  const { agent, cwd } = await unknownRunIsUsage(() => readStart(store, id))
  const [theirs, ours] = [cwd, surroundings.directory].map((directory) =>
    withoutLinks(rootOf({ ...surroundings, directory })),
  )
  if (theirs !== ours)
    throw new UsageError(
      `Run ${id} worked in ${JSON.stringify(cwd)}, and this is another workspace: what it has read and written is not here. Continue it there, with --cwd ${JSON.stringify(cwd)}.`,
    )
  if (!(await fold(store, id))?.state.end)
    throw new UsageError(
      `Run ${id} has not ended, so there is nothing to continue yet. \`cadre send ${id} TEXT\` tells it something; \`cadre resume ${id}\` goes on with it where nobody drives it.`,
    )
  return { run: id, agent }
}
