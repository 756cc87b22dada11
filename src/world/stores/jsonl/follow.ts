import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import type { Stored } from "../../../run/log/store.ts"
import type { Bell } from "../bell.ts"
import { readEntries, wholeEvent } from "./entries.ts"
import { isSuperseded, logFile, newestEpoch, openLog, readHeader } from "./folder.ts"
import type { Place } from "./place.ts"
import { Continuity } from "./tree-index.ts"

/**
 * Events of a tree in recorded order, then new ones as they come, whoever writes them. The bell says when to look again.
 * Of a damaged tree everything readable is given before LOG_DAMAGED is thrown.
 */
export async function* followTree(
  place: Place,
  from: Readonly<Record<string, number>>,
  bell: Bell,
  signal: AbortSignal,
): AsyncGenerator<Stored> {
  const given = new Map(Object.entries(from))
  while (!signal.aborted) {
    const epoch = newestEpoch(place.folder)
    const descriptor = epoch === 0 ? undefined : openLog(place.folder, epoch)
    if (descriptor === undefined) return
    try {
      const header = readHeader(place.disk, descriptor, place.root)
      if (header.type === "header" && header.header.removed === true) return
      const continuity = new Continuity(place.root)
      let offset = header.length
      for (;;) {
        const heard = bell.rings
        let superseded = false
        for await (const { entries, end } of readEntries({ ...place, descriptor }, offset)) {
          // Only what was read before a takeover is certain to be in the next log too.
          superseded = isSuperseded(place.folder, epoch)
          if (superseded) break
          offset = end
          for (const entry of entries) {
            if (!continuity.admit(entry) || entry.event.seq < (given.get(entry.event.run) ?? 0)) continue
            if (signal.aborted) return
            given.set(entry.event.run, entry.event.seq + 1)
            yield wholeEvent(entry, place.blobs)
          }
        }
        if (superseded || isSuperseded(place.folder, epoch)) break
        for (const [run, reason] of continuity.damage)
          throw new CadreError("LOG_DAMAGED", `The log of run ${run} is damaged: ${reason}.`)
        await bell.next(heard, signal)
        if (signal.aborted || !fs.existsSync(logFile(place.folder, epoch))) return
      }
    } finally {
      fs.closeSync(descriptor)
    }
  }
}
