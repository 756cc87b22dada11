import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import type { Blobs } from "./blobs.ts"
import type { Disk } from "./disk.ts"
import { unseal } from "./line.ts"
import { type BlobReference, readBlobReferences, unpack } from "./pack.ts"
import { type ScannedLine, scanLines } from "./scan.ts"

/** One line of a log after its header: an event, or a damaged line. */
export type LogEntry = EventEntry | DamagedEntry

export interface EventEntry {
  readonly type: "event"
  /** The event. While `references` is not empty, its long strings are missing; `wholeEvent` restores them. */
  readonly event: StoredEvent
  readonly references: readonly BlobReference[]
  readonly text: string
  readonly offset: number
  readonly length: number
  /** One bit of the line was wrong and has been repaired. */
  readonly mended?: true
}

export interface DamagedEntry {
  readonly type: "damaged"
  readonly reason: string
  /** The event that the line seems to have been. */
  readonly suspect: { readonly run: string; readonly seq: number } | undefined
  readonly offset: number
  readonly length: number
  /** The bytes of the line. Undefined if the event is known but its content is not available. */
  readonly bytes: Buffer | undefined
}

/** The log that entries are read from. */
export interface LogSource {
  readonly disk: Disk
  readonly descriptor: number
  readonly root: string
  readonly blobs: Blobs
}

/**
 * Reads the entries of a log from an offset on, in batches, each with the offset after it. An incomplete append can
 * only be the last one. It is skipped, because it is either being written or torn.
 */
export async function* readLogEntries(
  source: LogSource,
  from: number,
): AsyncGenerator<{ readonly entries: readonly LogEntry[]; readonly end: number }> {
  let end = from
  let paused = from
  let unfinished: LogEntry[] = []
  for (const lines of scanLines(source.disk, source.descriptor, from)) {
    const entries: LogEntry[] = []
    for (const line of lines) {
      const { entry, place } = parseLine(line, source.root, source.blobs)
      if (entry !== undefined) unfinished.push(entry)
      if (place === "more") continue
      for (const whole of unfinished) entries.push(whole)
      unfinished = []
      end = line.offset + line.length
    }
    yield { entries, end }
    if (end - paused < pauseAfter) continue
    // A long log must not block the rest of this process.
    paused = end
    await setImmediate()
  }
}

export const restoreEvent = (entry: EventEntry, blobs: Blobs): StoredEvent =>
  unpack(entry.event as unknown as Record<string, unknown>, entry.references, blobs) as StoredEvent

/**
 * Restores the parts of an event that its head shows. The other long texts of an event stay in their blobs. An altered
 * blob is ignored here: readers of the run will report it.
 */
export function restoreHeadEvent(entry: EventEntry, blobs: Blobs): StoredEvent {
  const isShownInList = entry.references.some(([path]) => path.length === 0 || path.join() === "task")
  if (!isShownInList) return entry.event
  try {
    return restoreEvent({ ...entry, event: structuredClone(entry.event) }, blobs)
  } catch (error) {
    if (error instanceof CadreError) return entry.event
    throw error
  }
}

export function parseLine(
  line: ScannedLine,
  root: string,
  blobs: Blobs,
): { readonly entry: LogEntry | undefined; readonly place: "last" | "more" } {
  const { bytes, offset, length } = line
  if (bytes === undefined)
    return { entry: createDamagedEntry("it is too long", undefined, line), place: "last" }
  const unsealed = unseal(bytes)
  if (unsealed.type === "bad")
    return {
      entry: createDamagedEntry(unsealed.reason, suspectIn(bytes, root), line, Buffer.from(bytes)),
      place: "last",
    }
  const { value, text, place } = unsealed
  // Every event has a `run`. A line without one was written by the store itself: a mark or a packed event.
  const isStoreLine = !Object.hasOwn(value, "run")
  if (isStoreLine && Object.hasOwn(value, "released")) return { entry: undefined, place }
  const references = isStoreLine ? readBlobReferences(value.packed) : []
  const event = isStoreLine ? value.value : value
  if (references === undefined || !isEvent(event, root))
    return { entry: createDamagedEntry("it is not an event of this tree", undefined, line), place }
  const missing = references.find(([, hash]) => !blobs.has(hash))
  if (missing !== undefined)
    return {
      entry: createDamagedEntry(
        `its blob ${missing[1]} is missing`,
        { run: event.run, seq: event.seq },
        line,
      ),
      place,
    }
  return { entry: { type: "event", event, references, text, offset, length }, place }
}

const pauseAfter = 1 << 17

export const createDamagedEntry = (
  reason: string,
  suspect: DamagedEntry["suspect"],
  { offset, length }: Pick<ScannedLine, "offset" | "length">,
  bytes?: Buffer,
): DamagedEntry => ({ type: "damaged", reason, suspect, offset, length, bytes })

/** Reads the run and seq from a damaged line, if possible. Those bytes may be the damaged ones. */
function suspectIn(bytes: Buffer, root: string): DamagedEntry["suspect"] {
  const text = bytes.toString("latin1")
  const run = /"run":"([0-9a-z.]{26,200})"/.exec(text)?.[1]
  const seq = /"seq":(\d{1,15})[,}]/.exec(text)?.[1]
  if (run === undefined || seq === undefined || !isRunId(run) || getRootRun(run) !== root) return undefined
  return { run, seq: Number(seq) }
}

function isEvent(value: unknown, root: string): value is StoredEvent {
  if (typeof value !== "object" || value === null) return false
  const { run, seq, at, type } = value as { [key in keyof StoredEvent]?: unknown }
  if (typeof run !== "string" || !isRunId(run) || getRootRun(run) !== root) return false
  return (
    Number.isSafeInteger(seq) && (seq as number) >= 0 && typeof at === "number" && typeof type === "string"
  )
}
