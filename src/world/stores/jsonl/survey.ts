import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import {
  createDamagedEntry,
  type DamagedEntry,
  type EventEntry,
  type LogEntry,
  type LogSource,
  parseLine,
  readLogEntries,
} from "./entries.ts"
import { mendEnd, mendLine, mendTorn } from "./mend.ts"
import { maximumLine } from "./scan.ts"

/**
 * Reads everything readable of a log from an offset on, and repairs single bits; `onMend` gets the offset of each
 * repaired line. The rest of an append that a crash cut off is no damage, and is skipped.
 */
export async function* surveyLog(
  source: LogSource,
  from: number,
  onMend: (offset: number) => void = () => {},
): AsyncGenerator<LogEntry> {
  let end = from
  /** A damaged line. The next one may be its other half. */
  let previous: DamagedEntry | undefined
  for await (const batch of readLogEntries(source, from)) {
    end = batch.end
    for (const entry of batch.entries) {
      if (entry.type === "event") {
        if (previous) yield previous
        previous = undefined
        yield checkBlobs(entry, source)
        continue
      }
      const whole = previous ? joinHalves(previous, entry, source) : undefined
      const mended = whole ?? mendEntry(entry, source)
      if (previous && !whole) yield previous
      if (mended) onMend(whole ? previous!.offset : entry.offset)
      previous = mended ? undefined : entry
      if (mended) yield* mended
    }
  }
  if (previous) yield previous
  yield* lastLines(source, end, onMend)
}

/** Reads the lines of a last append that is whole except for one bit. */
function* lastLines(source: LogSource, end: number, onMend: (offset: number) => void): Generator<LogEntry> {
  const size = fs.fstatSync(source.descriptor).size
  const rest = Buffer.alloc(Math.min(Math.max(0, size - end), maximumLine))
  const length = rest.length === 0 ? 0 : source.disk.read(source.descriptor, rest, end)
  const last = rest.lastIndexOf(10, length - 1) + 1
  const mended = size - end > maximumLine ? undefined : mendEnd(rest.subarray(last, length))
  if (!mended) return
  onMend(end + last)
  for (let start = 0; start < last; ) {
    const stop = rest.indexOf(10, start)
    yield* readLine(rest.subarray(start, stop), source, end + start, undefined)
    start = stop + 1
  }
  for (const line of mended) yield* readLine(line, source, end + last, "mended")
}

function joinHalves(
  before: DamagedEntry,
  after: DamagedEntry,
  source: LogSource,
): readonly LogEntry[] | undefined {
  if (!before.bytes || !after.bytes || before.offset + before.length !== after.offset) return undefined
  const line = mendTorn(before.bytes, after.bytes)
  return line && readLine(line, source, before.offset, "mended")
}

const mendEntry = (entry: DamagedEntry, source: LogSource): readonly LogEntry[] | undefined =>
  entry.bytes && mendLine(entry.bytes)?.flatMap((line) => readLine(line, source, entry.offset, "mended"))

function readLine(
  bytes: Buffer,
  source: LogSource,
  offset: number,
  how: "mended" | undefined,
): readonly LogEntry[] {
  const { entry } = parseLine({ bytes, offset, length: bytes.length + 1 }, source.root, source.blobs)
  if (!entry) return []
  return [entry.type === "event" ? checkBlobs(how ? { ...entry, mended: true } : entry, source) : entry]
}

/** An event with a missing or altered blob counts as lost, like one with a damaged line. */
function checkBlobs(entry: EventEntry, { blobs }: LogSource): LogEntry {
  const { run, seq } = entry.event
  for (const [, hash] of entry.references)
    try {
      if (blobs.read(hash) === undefined)
        return createDamagedEntry(`its blob ${hash} is missing`, { run, seq }, entry)
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      return createDamagedEntry(`its blob ${hash} was altered`, { run, seq }, entry)
    }
  return entry
}
