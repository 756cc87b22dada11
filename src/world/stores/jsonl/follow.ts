import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import type { Bell } from "../bell.ts"
import { readLogEntries, restoreEvent } from "./entries.ts"
import { findNewestEpoch, isSuperseded, logFile, openLog, readHeader } from "./folder.ts"
import type { TreePlace } from "./place.ts"
import { Continuity } from "./tree-index.ts"

/**
 * Yields the events of a tree in recorded order, then new ones as they are appended by any process. The bell says when
 * to look again. Of a damaged tree everything readable is yielded before LOG_DAMAGED is thrown.
 */
export async function* followTree(
  place: TreePlace,
  from: Readonly<Record<string, number>>,
  bell: Bell,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  const nextSeqs = new Map(Object.entries(from))
  while (!signal.aborted) {
    const epoch = findNewestEpoch(place.folder)
    const descriptor = openLog(place.folder, epoch)
    if (descriptor === undefined) return
    try {
      const header = readHeader(place.disk, descriptor, place.root)
      if (header.type === "header" && header.header.removed === true) return
      const continuity = new Continuity(place.root)
      let offset = header.length
      for (;;) {
        const rings = bell.rings
        let isReplaced = false
        for await (const { entries, end } of readLogEntries({ ...place, descriptor }, offset)) {
          // Only events read before a takeover are certain to be in the next log too.
          isReplaced = isSuperseded(place.folder, epoch)
          if (isReplaced) break
          offset = end
          for (const entry of entries) {
            if (!continuity.admit(entry) || entry.event.seq < (nextSeqs.get(entry.event.run) ?? 0)) continue
            if (signal.aborted) return
            nextSeqs.set(entry.event.run, entry.event.seq + 1)
            yield restoreEvent(entry, place.blobs)
          }
        }
        if (isReplaced || isSuperseded(place.folder, epoch)) break
        for (const [run, reason] of continuity.damage)
          throw new CadreError("LOG_DAMAGED", `The log of run ${run} is damaged: ${reason}.`)
        await bell.next(rings, signal)
        if (signal.aborted || !fs.existsSync(logFile(place.folder, epoch))) return
      }
    } finally {
      fs.closeSync(descriptor)
    }
  }
}
