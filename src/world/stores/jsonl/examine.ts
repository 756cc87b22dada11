import fs from "node:fs"
import type { LogPiece } from "../../../run/log/store.ts"
import { restoreEvent } from "./entries.ts"
import { countMissingBytes, describeMissingBytes, readExtent } from "./extent.ts"
import { findNewestEpoch, isSuperseded, openLog, readHeader } from "./folder.ts"
import type { TreePlace } from "./place.ts"
import { surveyLog } from "./survey.ts"

/**
 * Reads everything readable of a log, with a piece for each damaged place. Yields nothing if the tree does not exist.
 */
export async function* examineTree(place: TreePlace): AsyncGenerator<LogPiece> {
  const { folder } = place
  const epoch = findNewestEpoch(folder)
  const extent = readExtent(folder)
  const descriptor = openLog(folder, epoch)
  if (descriptor === undefined) return
  try {
    for await (const piece of pieces(place, descriptor)) {
      // A takeover has emptied this log, so missing lines in it mean nothing.
      if (piece.type === "damage" && isSuperseded(folder, epoch)) return
      yield piece
    }
    const missing = countMissingBytes(extent, epoch, fs.fstatSync(descriptor).size)
    if (missing > 0 && !isSuperseded(folder, epoch))
      yield { type: "damage", reason: describeMissingBytes(missing) }
  } finally {
    fs.closeSync(descriptor)
  }
}

async function* pieces(place: TreePlace, descriptor: number): AsyncGenerator<LogPiece> {
  const { root } = place
  const header = readHeader(place.disk, descriptor, root)
  if (header.type === "header" && header.header.removed === true) return
  if (header.type === "damaged")
    yield header.mended
      ? { type: "damage", reason: wrongBit(0) }
      : { type: "damage", reason: "its first line is lost", owner: "lost" }
  const next = new Map<string, number>()
  /** The number of lost lines whose missing events have not been reached yet. */
  let unmatchedLosses = 0
  const wrongOffsets: number[] = []
  for await (const entry of surveyLog({ ...place, descriptor }, header.length, (offset) =>
    wrongOffsets.push(offset),
  )) {
    for (const offset of wrongOffsets.splice(0)) yield { type: "damage", reason: wrongBit(offset) }
    if (entry.type === "damaged") {
      const { suspect, offset, reason } = entry
      unmatchedLosses++
      yield { type: "damage", reason: `the line at byte ${offset} is lost: ${reason}`, ...suspect }
      continue
    }
    const { run, seq } = entry.event
    const expected = next.get(run) ?? 0
    const gap = seq - expected
    if (gap < 0) continue
    if (gap > unmatchedLosses) {
      const which = gap === 1 ? `event ${expected} is` : `events ${expected} to ${seq - 1} are`
      yield { type: "damage", reason: `${which} missing`, run, seq: expected }
    }
    unmatchedLosses = Math.max(0, unmatchedLosses - gap)
    next.set(run, seq + 1)
    const { mended } = entry
    yield { type: "event", event: restoreEvent(entry, place.blobs), ...(mended && { mended }) }
  }
  for (const offset of wrongOffsets) yield { type: "damage", reason: wrongBit(offset) }
  if (!next.has(root)) yield { type: "damage", reason: "its first event is lost", run: root, seq: 0 }
}

const wrongBit = (offset: number): string =>
  `one bit of the line at byte ${offset} is wrong and can be repaired`
