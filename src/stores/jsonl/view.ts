import fs from "node:fs"
import { CadreError } from "../../errors.ts"
import type { Stored } from "../../run/store.ts"
import { hasCode } from "./disk.ts"
import { parseLine, readEntries, wholeEvent } from "./entries.ts"
import { logFile, newestEpoch, readHeader } from "./folder.ts"
import type { Place } from "./place.ts"
import { TreeIndex } from "./tree-index.ts"

/** A log as somebody sees it who does not own it. Kept between reads, so that each line is looked at once. */
export class View {
  readonly #place: Place
  #epoch = 0
  #end = 0
  #index: TreeIndex
  #last: Promise<unknown> = Promise.resolve()

  constructor(place: Place) {
    this.#place = place
    this.#index = new TreeIndex(place.root)
  }

  /** Reads what was added since the last time, one caller after the other. Undefined: there is no such tree. */
  refresh(): Promise<Indexed | undefined> {
    const turn = this.#last.then(() => this.#read())
    this.#last = turn.catch(() => {})
    return turn
  }

  async #read(): Promise<Indexed | undefined> {
    const { folder, root } = this.#place
    for (;;) {
      const epoch = newestEpoch(folder)
      if (epoch === 0) return undefined
      const descriptor = openLog(folder, epoch)
      if (descriptor === undefined) continue
      try {
        const read = readHeader(this.#place.disk, descriptor, root)
        if (read.type === "header" && read.header.removed === true) return undefined
        if (epoch !== this.#epoch) {
          this.#index = new TreeIndex(root)
          this.#end = read.length
        }
        this.#epoch = 0
        const index = this.#index
        for await (const { entries, end } of readEntries({ ...this.#place, descriptor }, this.#end)) {
          for (const entry of entries)
            if (index.continuity.admit(entry)) index.add(entry.event, entry.offset, entry.length)
          this.#end = end
        }
        // A takeover meanwhile may have emptied the file under us.
        if (fs.existsSync(logFile(folder, epoch + 1))) continue
        this.#epoch = epoch
        return { epoch, index }
      } finally {
        fs.closeSync(descriptor)
      }
    }
  }
}

export interface Indexed {
  readonly epoch: number
  readonly index: TreeIndex
}

/** The events of one run, by its stretches of the file. `look` gives the index, anew when the tree has changed hands. */
export async function* readRun(
  place: Place,
  run: string,
  from: number,
  look: () => Promise<Indexed | undefined>,
): AsyncGenerator<Stored> {
  let next = from
  for (let failed = 0; ; ) {
    const seen = await look()
    if (seen === undefined) return
    let whole = true
    for await (const event of readExtents(place, seen, run, next)) {
      whole = event !== "broken"
      if (event === "broken") break
      yield event
      next = event.seq + 1
    }
    const damage = seen.index.continuity.damage.get(run)
    if (whole && damage === undefined) return
    // What the index says is no longer in the file: normal once, when the tree has just changed hands.
    if (whole || failed === seen.epoch)
      throw new CadreError(
        "LOG_DAMAGED",
        `The log of run ${run} is damaged at event ${next}: ${damage ?? "it cannot be read"}.`,
      )
    failed = seen.epoch
  }
}

async function* readExtents(
  place: Place,
  seen: Indexed,
  run: string,
  from: number,
): AsyncGenerator<Stored | "broken"> {
  const descriptor = openLog(place.folder, seen.epoch)
  if (descriptor === undefined) return yield "broken"
  try {
    for (const extent of seen.index.extents(run, from)) {
      const bytes = Buffer.allocUnsafe(extent.length)
      if (place.disk.read(descriptor, bytes, extent.offset) < bytes.length) return yield "broken"
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(10, start) + 1
        const line = {
          bytes: bytes.subarray(start, end - 1),
          offset: extent.offset + start,
          length: end - start,
        }
        const { entry } = parseLine(line, place.root, place.blobs)
        if (entry?.type !== "event" || entry.event.run !== run) return yield "broken"
        if (entry.event.seq >= from) yield wholeEvent(entry, place.blobs)
        start = end
      }
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Undefined when it went away after it was seen. */
function openLog(folder: string, epoch: number): number | undefined {
  try {
    return fs.openSync(logFile(folder, epoch), "r")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}
