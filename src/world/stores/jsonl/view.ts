import fs from "node:fs"
import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import type { Stored } from "../../../run/log/store.ts"
import { eventForHead, parseLine, readEntries, wholeEvent } from "./entries.ts"
import { cutShort, missingIn, readExtent } from "./extent.ts"
import { isSuperseded, newestEpoch, openLog, readHeader } from "./folder.ts"
import { type LogMark, markOf } from "./log-mark.ts"
import type { Place } from "./place.ts"
import { remedy } from "./remedy.ts"
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
      const extent = readExtent(folder)
      const descriptor = epoch === 0 ? undefined : openLog(folder, epoch)
      if (descriptor === undefined) return undefined
      try {
        const read = readHeader(this.#place.disk, descriptor, root)
        if (read.type === "header" && read.header.removed === true) return undefined
        if (epoch !== this.#epoch) {
          this.#index = new TreeIndex(root)
          this.#end = read.length
        }
        this.#epoch = 0
        const index = this.#index
        const before = fs.fstatSync(descriptor)
        for await (const { entries, end } of readEntries({ ...this.#place, descriptor }, this.#end)) {
          for (const entry of entries) {
            const isNext: boolean = index.continuity.admit(entry)
            if (entry.type !== "event") continue
            if (isNext) index.add(eventForHead(entry, this.#place.blobs), entry.offset, entry.length)
            else index.pass(entry.event)
          }
          this.#end = end
        }
        const missing = missingIn(extent, epoch, fs.fstatSync(descriptor).size)
        // A takeover meanwhile may have emptied the file under us.
        if (isSuperseded(folder, epoch)) continue
        if (missing > 0) index.continuity.lose(cutShort(missing))
        this.#epoch = epoch
        const isStill = fs.fstatSync(descriptor).size === before.size
        return { epoch, index, ...(isStill && { mark: markOf(epoch, before) }) }
      } finally {
        fs.closeSync(descriptor)
      }
    }
  }
}

export interface Indexed {
  readonly epoch: number
  readonly index: TreeIndex
  /** The file as it was read, where it stayed the same meanwhile. */
  readonly mark?: LogMark
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
    let broken = false
    for (const event of readExtents(place, seen, run, next)) {
      broken = event === "broken"
      if (event === "broken") break
      yield event
      next = event.seq + 1
      // A long run must not hold up everything else this process does.
      if (next % pauseEvery === 0) await setImmediate()
    }
    const damage = seen.index.continuity.damage.get(run) ?? lostStart(place, run, seen)
    if (!broken && damage === undefined) return
    // What the index says is no longer in the file: normal once, when the tree has just changed hands.
    if (!broken || failed === seen.epoch)
      throw new CadreError(
        "LOG_DAMAGED",
        `The log of run ${run} is damaged at event ${next}: ${damage ?? "it cannot be read"}. ${remedy(place.root, seen.index.has(place.root) ? "named" : "start-lost")}`,
      )
    failed = seen.epoch
  }
}

/** A tree that has a log has a first event. */
const lostStart = ({ root }: Place, run: string, { index }: Indexed): string | undefined =>
  run === root && !index.has(root) ? "its first event is lost" : undefined

const pauseEvery = 1024

function* readExtents(place: Place, seen: Indexed, run: string, from: number): Generator<Stored | "broken"> {
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
