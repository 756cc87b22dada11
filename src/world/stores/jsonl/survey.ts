import fs from "node:fs"
import { CadreError } from "../../../ground/errors.ts"
import {
  type DamagedEntry,
  damaged,
  type Entry,
  type EventEntry,
  parseLine,
  readEntries,
  type Source,
} from "./entries.ts"
import { mendEnd, mendLine, mendTorn } from "./mend.ts"
import { maximumLine } from "./scan.ts"

/**
 * Everything that can be made out of a log from an offset on, with single bits put right; `onMend` is told of each line
 * that was. What is left of an append that a crash cut off at the end is no damage, and is not told.
 */
export async function* survey(
  source: Source,
  from: number,
  onMend: (offset: number) => void = () => {},
): AsyncGenerator<Entry> {
  let end = from
  /** A line that is damaged: the next one may be its other half. */
  let held: DamagedEntry | undefined
  for await (const batch of readEntries(source, from)) {
    end = batch.end
    for (const entry of batch.entries) {
      if (entry.type === "event") {
        if (held) yield held
        held = undefined
        yield checked(entry, source)
        continue
      }
      const whole = held ? joined(held, entry, source) : undefined
      const mended = whole ?? parted(entry, source)
      if (held && !whole) yield held
      held = mended ? undefined : entry
      if (mended) onMend(entry.offset)
      if (mended) yield* mended
    }
  }
  if (held) yield held
  yield* lastLines(source, end, onMend)
}

/** Lines of an append at the end that is whole but for one bit. */
function* lastLines(source: Source, end: number, onMend: (offset: number) => void): Generator<Entry> {
  const size = fs.fstatSync(source.descriptor).size
  const rest = Buffer.alloc(Math.min(Math.max(0, size - end), maximumLine))
  const length = rest.length === 0 ? 0 : source.disk.read(source.descriptor, rest, end)
  const last = rest.lastIndexOf(10, length - 1) + 1
  const mended = size - end > maximumLine ? undefined : mendEnd(rest.subarray(last, length))
  if (!mended) return
  onMend(end + last)
  for (let start = 0; start < last; ) {
    const stop = rest.indexOf(10, start)
    yield* read(rest.subarray(start, stop), source, end + start, undefined)
    start = stop + 1
  }
  for (const line of mended) yield* read(line, source, end + last, "mended")
}

function joined(before: DamagedEntry, after: DamagedEntry, source: Source): readonly Entry[] | undefined {
  if (!before.bytes || !after.bytes || before.offset + before.length !== after.offset) return undefined
  const line = mendTorn(before.bytes, after.bytes)
  return line && read(line, source, before.offset, "mended")
}

const parted = (entry: DamagedEntry, source: Source): readonly Entry[] | undefined =>
  entry.bytes && mendLine(entry.bytes)?.flatMap((line) => read(line, source, entry.offset, "mended"))

function read(bytes: Buffer, source: Source, offset: number, how: "mended" | undefined): readonly Entry[] {
  const { entry } = parseLine({ bytes, offset, length: bytes.length + 1 }, source.root, source.blobs)
  if (!entry) return []
  return [entry.type === "event" ? checked(how ? { ...entry, mended: true } : entry, source) : entry]
}

/** An event whose long texts are not what they were is lost like one whose line is. */
function checked(entry: EventEntry, { blobs }: Source): Entry {
  const { run, seq } = entry.event
  for (const [, hash] of entry.references)
    try {
      if (blobs.read(hash) === undefined) return damaged(`its blob ${hash} is missing`, { run, seq }, entry)
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      return damaged(`its blob ${hash} is not what it was`, { run, seq }, entry)
    }
  return entry
}
