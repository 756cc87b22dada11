import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import type { RunHead, StoredEvent } from "../../../run/log/store.ts"
import { advanceHead, createHead } from "../heads.ts"
import { parseLine } from "./entries.ts"
import { readFirstLine, readHeader, readNewest } from "./folder.ts"
import type { TreePlace } from "./place.ts"
import { maximumLine } from "./scan.ts"

/** Reads the status of a root from the beginning and the end of its log alone. Undefined: there is no such tree. */
export function readRootStatus(place: TreePlace): RunHead["status"] | undefined {
  const status = readNewest(place.folder, (descriptor) => readStatus(place, descriptor))
  return status === "removed" ? undefined : status
}

function readStatus(place: TreePlace, descriptor: number): RunHead["status"] | "removed" {
  try {
    const header = readHeader(place.disk, descriptor, place.root)
    if (header.type === "header" && header.header.removed === true) return "removed"
    const first = firstEvent(place, descriptor, header.length)
    if (first === undefined) return "open"
    const head = createHead(first)
    const last = lastEvent(place, descriptor, header.length)
    if (last !== undefined) advanceHead(head, last)
    return head.status
  } catch (error) {
    if (error instanceof CadreError) return "open"
    throw error
  }
}

function firstEvent(place: TreePlace, descriptor: number, offset: number): StoredEvent | undefined {
  const bytes = readFirstLine(place.disk, descriptor, offset)
  return bytes === undefined ? undefined : rootEvent(place, bytes)
}

/**
 * Finds the end of the root, or else its last event, from the end of the log backwards: usually it is in the first
 * block. Events that may follow an end are skipped.
 */
function lastEvent(place: TreePlace, descriptor: number, beginning: number): StoredEvent | undefined {
  let newest: StoredEvent | undefined
  for (const event of eventsBackwards(place, descriptor, beginning)) {
    newest ??= event
    if (!afterEnd.has(event.type)) return event.type === "run-end" ? event : newest
  }
  return newest
}

/** Events that may follow the end of a run: late letters, children that ended late, repairs of the log, undone changes. */
const afterEnd: ReadonlySet<string> = new Set([
  "message-add",
  "child-end",
  "event-lost",
  "log-repair",
  "changes-undone",
])

function* eventsBackwards(place: TreePlace, descriptor: number, beginning: number): Generator<StoredEvent> {
  let end = fs.fstatSync(descriptor).size
  for (let size = 1 << 14; end > beginning; size = Math.min(2 * size, maximumLine)) {
    const start = Math.max(beginning, end - size)
    const block = Buffer.allocUnsafe(end - start)
    const filled = block.subarray(0, place.disk.read(descriptor, block, start))
    // The first line of a block is incomplete, unless the block begins where the log does.
    const whole = start === beginning ? 0 : filled.indexOf(10) + 1
    yield* eventsIn(place, filled.subarray(whole))
    if (start === beginning) return
    if (whole > 0 && start + whole < end) end = start + whole
    else if (size === maximumLine) return
  }
}

function* eventsIn(place: TreePlace, lines: Buffer): Generator<StoredEvent> {
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

function rootEvent(place: TreePlace, bytes: Buffer): StoredEvent | undefined {
  const { entry } = parseLine({ bytes, offset: 0, length: bytes.length + 1 }, place.root, place.blobs)
  return entry?.type === "event" && entry.event.run === place.root ? entry.event : undefined
}
