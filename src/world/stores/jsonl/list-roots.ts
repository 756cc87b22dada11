import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import { matchesQuery, orderRoots } from "../../../run/face/run-query.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { RunHead, RunQuery } from "../../../run/log/store.ts"
import { hasErrorCode } from "./disk.ts"
import { HeadIndex, type IndexedHead } from "./head-index.ts"
import { listNames } from "./list-names.ts"
import type { TreePlace } from "./place.ts"
import type { IndexedLog } from "./view.ts"

/**
 * Lists the roots of a store, from its index where that is valid. Other logs are read, but only as much as the query
 * needs them.
 */
export async function* listRoots(
  directory: string,
  query: RunQuery,
  placeOf: (root: string) => TreePlace,
  look: (place: TreePlace) => Promise<IndexedLog | undefined>,
): AsyncGenerator<RunHead> {
  const roots = listNames(directory).filter((name) => isRunId(name) && getRootRun(name) === name)
  const index = new HeadIndex(directory)
  const newHeads: IndexedHead[] = []
  let remaining = query.limit ?? Number.POSITIVE_INFINITY
  try {
    let count = 0
    for (const root of orderRoots(roots, query)) {
      if (remaining <= 0) return
      if (++count % 500 === 0) await setImmediate()
      if (query.status === "open" && index.isEnded(root)) continue
      let head = index.headOf(root)
      if (head === undefined) {
        const result = await readHead(placeOf(root), look)
        if (result === undefined) continue
        head = result.head
        if (result.mark !== undefined && head.status === "ended") newHeads.push({ head, mark: result.mark })
      }
      if (!matchesQuery(head, query)) continue
      remaining--
      yield head
    }
  } finally {
    index.save(newHeads, roots)
  }
}

async function readHead(
  place: TreePlace,
  look: (place: TreePlace) => Promise<IndexedLog | undefined>,
): Promise<{ readonly head: RunHead; readonly mark?: IndexedHead["mark"] } | undefined> {
  try {
    const log = await look(place)
    if (log === undefined) return undefined
    const head = log.index.rootHead() ?? createUnreadableHead(place.root)
    return { head, ...(log.mark && { mark: log.mark }) }
  } catch (error) {
    if (error instanceof CadreError || hasErrorCode(error, "EACCES", "EPERM", "EIO", "EISDIR"))
      return { head: createUnreadableHead(place.root, (error as Error).message) }
    throw error
  }
}

/**
 * Makes an entry for a log that cannot be read, so that the log is not forgotten. The id itself tells when the run
 * began.
 */
export function createUnreadableHead(root: string, damage = "its first event cannot be read"): RunHead {
  let at = 0
  for (const letter of root.slice(0, 10)) at = at * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(letter)
  const usage = { own: {}, inclusive: {} }
  const tree = { runs: 1, open: 1 }
  const noActivity = { turns: 0, children: 0, usage, tree }
  return { run: root, agent: "", startedAt: at, updatedAt: at, status: "open", ...noActivity, damage }
}
