import fs from "node:fs"
import type { Piece } from "../../../run/log/store.ts"
import { wholeEvent } from "./entries.ts"
import { cutShort, missingIn, readExtent } from "./extent.ts"
import { isSuperseded, newestEpoch, openLog, readHeader } from "./folder.ts"
import type { Place } from "./place.ts"
import { survey } from "./survey.ts"

/** All that can be read of a log, with a piece for each place where something is wrong. Nothing: there is no such tree. */
export async function* examineTree(place: Place): AsyncGenerator<Piece> {
  const { folder } = place
  const epoch = newestEpoch(folder)
  const extent = readExtent(folder)
  const descriptor = epoch === 0 ? undefined : openLog(folder, epoch)
  if (descriptor === undefined) return
  try {
    for await (const piece of pieces(place, descriptor)) {
      // Whoever took the tree over has emptied this log: what is missing in it says nothing.
      if (piece.type === "damage" && isSuperseded(folder, epoch)) return
      yield piece
    }
    const missing = missingIn(extent, epoch, fs.fstatSync(descriptor).size)
    if (missing > 0 && !isSuperseded(folder, epoch)) yield { type: "damage", reason: cutShort(missing) }
  } finally {
    fs.closeSync(descriptor)
  }
}

async function* pieces(place: Place, descriptor: number): AsyncGenerator<Piece> {
  const { root } = place
  const header = readHeader(place.disk, descriptor, root)
  if (header.type === "header" && header.header.removed === true) return
  if (header.type === "damaged")
    yield header.mended
      ? { type: "damage", reason: wrongBit(0) }
      : { type: "damage", reason: "its first line is lost", owner: "lost" }
  const next = new Map<string, number>()
  /** Lines that are lost, and whose gaps are still to come. */
  let told = 0
  const wrong: number[] = []
  for await (const entry of survey({ ...place, descriptor }, header.length, (offset) => wrong.push(offset))) {
    for (const offset of wrong.splice(0)) yield { type: "damage", reason: wrongBit(offset) }
    if (entry.type === "damaged") {
      const { suspect, offset, reason } = entry
      told++
      yield { type: "damage", reason: `the line at byte ${offset} is lost: ${reason}`, ...suspect }
      continue
    }
    const { run, seq } = entry.event
    const expected = next.get(run) ?? 0
    const gap = seq - expected
    if (gap < 0) continue
    if (gap > told) {
      const which = gap === 1 ? `event ${expected} is` : `events ${expected} to ${seq - 1} are`
      yield { type: "damage", reason: `${which} missing`, run, seq: expected }
    }
    told = Math.max(0, told - gap)
    next.set(run, seq + 1)
    const { mended } = entry
    yield { type: "event", event: wholeEvent(entry, place.blobs), ...(mended && { mended }) }
  }
  for (const offset of wrong) yield { type: "damage", reason: wrongBit(offset) }
  if (!next.has(root)) yield { type: "damage", reason: "its first event is lost", run: root, seq: 0 }
}

const wrongBit = (offset: number): string =>
  `a bit of the line at byte ${offset} is wrong, and can be put right`
