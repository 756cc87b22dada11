import { makeRandomUuid } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import { getRootRun, isRunId } from "../../run/log/id.ts"
import { upcast } from "../../run/log/upcast.ts"
import type { ServedProject } from "./served-project.ts"

/**
 * The dedupe key of a new run. It marks the run in its log as one of a server with these rights. A host must not steer
 * runs that may do more, such as those that the person started in a terminal.
 */
export const createRunKey = ({ rights }: Pick<ServedProject, "rights">): string =>
  `${ownKeyStart(rights)}${makeRandomUuid()}`

const ownKeyStart = (rights: string): string => `mcp:${rights}:`

/** Throws RUN_UNKNOWN unless a server with the same folder and options started the run. Returns its root. */
export async function requireOwnRun(project: ServedProject, run: string): Promise<string> {
  if (isRunId(run) && (await isOwnRun(project, getRootRun(run)))) return getRootRun(run)
  throw new CadreError(
    "RUN_UNKNOWN",
    `There is no run ${JSON.stringify(run.slice(0, 100))} of this server. Copy the id from the answer of run_agent or start_agent. Call status without arguments to list the runs.`,
  )
}

export async function isOwnRun({ store, rights }: ServedProject, root: string): Promise<boolean> {
  for await (const stored of store.read(root)) {
    const event = upcast(stored)
    return event?.type === "run-start" && event.dedupe?.startsWith(ownKeyStart(rights)) === true
  }
  return false
}
