import fs from "node:fs"
import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import { parseLine, readLogEntries, restoreEvent, restoreHeadEvent } from "./entries.ts"
import { countMissingBytes, describeMissingBytes, readExtent } from "./extent.ts"
import { findNewestEpoch, isSuperseded, openLog, readHeader } from "./folder.ts"
import { type LogMark, markOf } from "./log-mark.ts"
import type { TreePlace } from "./place.ts"
import { describeRemedy } from "./remedy.ts"
import { TreeIndex } from "./tree-index.ts"

/** A log as read by a process that does not own it. It is kept between reads, so that each line is read once. */
export class LogView {
  readonly #place: TreePlace
  #epoch = 0
  #end = 0
  #index: TreeIndex
  #last: Promise<unknown> = Promise.resolve()

  constructor(place: TreePlace) {
    this.#place = place
    this.#index = new TreeIndex(place.root)
  }

  /** Reads the lines added since the last time, for one caller after the other. Undefined: there is no such tree. */
  refresh(): Promise<IndexedLog | undefined> {
    const turn = this.#last.then(() => this.#read())
    this.#last = turn.catch(() => {})
    return turn
  }

  async #read(): Promise<IndexedLog | undefined> {
    const { folder, root } = this.#place
    for (;;) {
      const epoch = findNewestEpoch(folder)
      const extent = readExtent(folder)
      const descriptor = openLog(folder, epoch)
      if (descriptor === undefined) return undefined
      try {
        const header = readHeader(this.#place.disk, descriptor, root)
        if (header.type === "header" && header.header.removed === true) return undefined
        if (epoch !== this.#epoch) {
          this.#index = new TreeIndex(root)
          this.#end = header.length
        }
        this.#epoch = 0
        const index = this.#index
        const before = fs.fstatSync(descriptor)
        for await (const { entries, end } of readLogEntries({ ...this.#place, descriptor }, this.#end)) {
          for (const entry of entries) {
            const isNext: boolean = index.continuity.admit(entry)
            if (entry.type !== "event") continue
            if (isNext) index.add(restoreHeadEvent(entry, this.#place.blobs), entry.offset, entry.length)
            else index.noteStatus(entry.event)
          }
          this.#end = end
        }
        const missing = countMissingBytes(extent, epoch, fs.fstatSync(descriptor).size)
        // A takeover meanwhile may have emptied the file.
        if (isSuperseded(folder, epoch)) continue
        if (missing > 0) index.continuity.lose(describeMissingBytes(missing))
        this.#epoch = epoch
        const isUnchanged = fs.fstatSync(descriptor).size === before.size
        return { epoch, index, ...(isUnchanged && { mark: markOf(epoch, before) }) }
      } finally {
        fs.closeSync(descriptor)
      }
    }
  }
}

export interface IndexedLog {
  readonly epoch: number
  readonly index: TreeIndex
  /** Identifies the file, if it did not change while it was read. */
  readonly mark?: LogMark
}

/**
 * Yields the events of one run, from its parts of the file. `look` returns the index, a new one if the tree has a new
 * owner.
 */
export async function* readRun(
  place: TreePlace,
  run: string,
  from: number,
  look: () => Promise<IndexedLog | undefined>,
): AsyncGenerator<StoredEvent> {
  let next = from
  for (let failedEpoch = 0; ; ) {
    const log = await look()
    if (log === undefined) return
    let isBroken = false
    for (const event of readExtents(place, log, run, next)) {
      isBroken = event === "broken"
      if (event === "broken") break
      yield event
      next = event.seq + 1
      // A long run must not block the rest of this process.
      if (next % pauseEvery === 0) await setImmediate()
    }
    const damage = log.index.continuity.damage.get(run) ?? lostStart(place, run, log)
    if (!isBroken && damage === undefined) return
    // The index no longer fits the file. That is normal once, when the tree has just got a new owner.
    if (!isBroken || failedEpoch === log.epoch)
      throw new CadreError(
        "LOG_DAMAGED",
        `The log of run ${run} is damaged at event ${next}: ${damage ?? "it cannot be read"}. ${describeRemedy(place.root, log.index.has(place.root) ? "named" : "start-lost")}`,
      )
    failedEpoch = log.epoch
  }
}

/** A tree with a log must have a first event. */
const lostStart = ({ root }: TreePlace, run: string, { index }: IndexedLog): string | undefined =>
  run === root && !index.has(root) ? "its first event is lost" : undefined

const pauseEvery = 1024

function* readExtents(
  place: TreePlace,
  log: IndexedLog,
  run: string,
  from: number,
): Generator<StoredEvent | "broken"> {
  const descriptor = openLog(place.folder, log.epoch)
  if (descriptor === undefined) return yield "broken"
  try {
    for (const extent of log.index.extents(run, from)) {
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
        if (entry.event.seq >= from) yield restoreEvent(entry, place.blobs)
        start = end
      }
    }
  } finally {
    fs.closeSync(descriptor)
  }
}
