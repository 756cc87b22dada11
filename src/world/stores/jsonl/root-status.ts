import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import type { RunHead, Stored } from "../../../run/log/store.ts"
import { advanceHead, headOf } from "../heads.ts"
import { parseLine } from "./entries.ts"
import { firstLine, lookAtNewest, readHeader } from "./folder.ts"
import type { Place } from "./place.ts"
import { maximumLine } from "./scan.ts"

/** Whether a root has ended, from the beginning and the end of its log alone. Undefined: there is no such tree. */
export function rootStatus(place: Place): RunHead["status"] | undefined {
  const status = lookAtNewest(place.folder, (descriptor) => readStatus(place, descriptor))
  return status === "removed" ? undefined : status
}

function readStatus(place: Place, descriptor: number): RunHead["status"] | "removed" {
  try {
    const read = readHeader(place.disk, descriptor, place.root)
    if (read.type === "header" && read.header.removed === true) return "removed"
    const first = firstEvent(place, descriptor, read.length)
    if (first === undefined) return "open"
    const head = headOf(first)
    const last = lastEvent(place, descriptor, read.length)
    if (last !== undefined) advanceHead(head, last)
    return head.status
  } catch (error) {
    if (error instanceof CadreError) return "open"
    throw error
  }
}

function firstEvent(place: Place, descriptor: number, offset: number): Stored | undefined {
  const bytes = firstLine(place.disk, descriptor, offset)
  return bytes === undefined ? undefined : rootEvent(place, bytes)
}

/**
 * The end of the root, or else its last event, found from the end backwards: most often it is in the first block. What
 * may still come after an end is passed over.
 */
function lastEvent(place: Place, descriptor: number, beginning: number): Stored | undefined {
  let newest: Stored | undefined
  for (const event of eventsBackwards(place, descriptor, beginning)) {
    newest ??= event
    if (!afterEnd.has(event.type)) return event.type === "run-end" ? event : newest
  }
  return newest
}

/** Letters that came too late, children that ended late, and a repair of the log. */
const afterEnd: ReadonlySet<string> = new Set(["message-add", "child-end", "event-lost", "log-repair"])

function* eventsBackwards(place: Place, descriptor: number, beginning: number): Generator<Stored> {
  let end = fs.fstatSync(descriptor).size
  for (let size = 1 << 14; end > beginning; size = Math.min(2 * size, maximumLine)) {
    const start = Math.max(beginning, end - size)
    const block = Buffer.allocUnsafe(end - start)
    const filled = block.subarray(0, place.disk.read(descriptor, block, start))
    // Unless the block begins where the log does, its first line is cut.
    const whole = start === beginning ? 0 : filled.indexOf(10) + 1
    yield* eventsIn(place, filled.subarray(whole))
    if (start === beginning) return
    if (whole > 0 && start + whole < end) end = start + whole
    else if (size === maximumLine) return
  }
}

function* eventsIn(place: Place, lines: Buffer): Generator<Stored> {
  const needle = `"run":"${place.root}"`
  for (let before = lines.length; before > 0; ) {
    const hit = lines.lastIndexOf(needle, before - 1)
    if (hit < 0) return
    const start = lines.lastIndexOf(10, hit) + 1
    const end = lines.indexOf(10, hit)
    const event = end < 0 ? undefined : rootEvent(place, lines.subarray(start, end))
    if (event !== undefined) yield event
    before = start
  }
}

function rootEvent(place: Place, bytes: Buffer): Stored | undefined {
  const { entry } = parseLine({ bytes, offset: 0, length: bytes.length + 1 }, place.root, place.blobs)
  return entry?.type === "event" && entry.event.run === place.root ? entry.event : undefined
}
