import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import { matches, orderRoots } from "../../../run/face/run-query.ts"
import { isRunId, rootOf } from "../../../run/log/id.ts"
import type { RunHead, RunQuery } from "../../../run/log/store.ts"
import { hasCode } from "./disk.ts"
import { HeadIndex, type IndexedHead } from "./head-index.ts"
import { namesIn } from "./names-in.ts"
import type { Place } from "./place.ts"
import type { Indexed } from "./view.ts"

/** The roots of a store, from its index where that holds. A log is read only where it does not, and for what is asked. */
export async function* listRoots(
  directory: string,
  query: RunQuery,
  placeOf: (root: string) => Place,
  look: (place: Place) => Promise<Indexed | undefined>,
): AsyncGenerator<RunHead> {
  const roots = namesIn(directory).filter((name) => isRunId(name) && rootOf(name) === name)
  const index = new HeadIndex(directory)
  const readAnew: IndexedHead[] = []
  let left = query.limit ?? Number.POSITIVE_INFINITY
  try {
    let count = 0
    for (const root of orderRoots(roots, query)) {
      if (left <= 0) return
      if (++count % 500 === 0) await setImmediate()
      if (query.status === "open" && index.isEnded(root)) continue
      let head = index.headOf(root)
      if (head === undefined) {
        const read = await readHead(placeOf(root), look)
        if (read === undefined) continue
        head = read.head
        if (read.mark !== undefined && head.status === "ended") readAnew.push({ head, mark: read.mark })
      }
      if (!matches(head, query)) continue
      left--
      yield head
    }
  } finally {
    index.keep(readAnew, roots)
  }
}

async function readHead(
  place: Place,
  look: (place: Place) => Promise<Indexed | undefined>,
): Promise<{ readonly head: RunHead; readonly mark?: IndexedHead["mark"] } | undefined> {
  try {
    const seen = await look(place)
    if (seen === undefined) return undefined
    const head = seen.index.rootHead() ?? unreadable(place.root)
    return { head, ...(seen.mark && { mark: seen.mark }) }
  } catch (error) {
    if (error instanceof CadreError || hasCode(error, "EACCES", "EPERM", "EIO", "EISDIR"))
      return { head: unreadable(place.root, (error as Error).message) }
    throw error
  }
}

/** Listed all the same: a log that cannot be read must not be forgotten. The id itself tells when the run began. */
export function unreadable(root: string, damage = "its first event cannot be read"): RunHead {
  let at = 0
  for (const letter of root.slice(0, 10)) at = at * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(letter)
  const usage = { own: {}, inclusive: {} }
  const tree = { runs: 1, open: 1 }
  const nothing = { turns: 0, children: 0, usage, tree }
  return { run: root, agent: "", startedAt: at, updatedAt: at, status: "open", ...nothing, damage }
}
