import { setImmediate } from "node:timers/promises"
import { CadreError } from "../../../ground/errors.ts"
import { isRunId, rootOf } from "../../../run/log/id.ts"
import type { Stored } from "../../../run/log/store.ts"
import type { Blobs } from "./blobs.ts"
import type { Disk } from "./disk.ts"
import { unseal } from "./line.ts"
import { type Reference, referencesOf, unpack } from "./pack.ts"
import { type Line, scanLines } from "./scan.ts"

/** One line of a log after its header, as far as it could be made out. */
export type Entry = EventEntry | DamagedEntry

export interface EventEntry {
  readonly type: "event"
  /** Without its long strings while `references` is not empty: `wholeEvent` puts them back. */
  readonly event: Stored
  readonly references: readonly Reference[]
  readonly text: string
  readonly offset: number
  readonly length: number
  /** One bit of its line was wrong, and is right again. */
  readonly mended?: true
}

export interface DamagedEntry {
  readonly type: "damaged"
  readonly reason: string
  /** Which event it seems to have been. */
  readonly suspect: { readonly run: string; readonly seq: number } | undefined
  readonly offset: number
  readonly length: number
  /** The line as it stands there; undefined where its event is known, and cannot be had. */
  readonly bytes: Buffer | undefined
}

/** Where the entries of a log are read from. */
export interface Source {
  readonly disk: Disk
  readonly descriptor: number
  readonly root: string
  readonly blobs: Blobs
}

/**
 * The entries of a log from an offset on, some at a time, with the place where the next ones begin. An append that is
 * not there in full, which can only be the last one, is left alone: it is either being written or torn.
 */
export async function* readEntries(
  source: Source,
  from: number,
): AsyncGenerator<{ readonly entries: readonly Entry[]; readonly end: number }> {
  let end = from
  let paused = from
  let unfinished: Entry[] = []
  for (const lines of scanLines(source.disk, source.descriptor, from)) {
    const entries: Entry[] = []
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
    // A long log must not hold up everything else this process does.
    paused = end
    await setImmediate()
  }
}

export const wholeEvent = (entry: EventEntry, blobs: Blobs): Stored =>
  entry.references.length === 0
    ? entry.event
    : (unpack(entry.event as unknown as Record<string, unknown>, entry.references, blobs) as Stored)

/**
 * The event with all that a head tells of it: the texts of a long event lie in blobs, and most of them say nothing for a
 * list. A blob that is altered is for the reader of the run to find.
 */
export function eventForHead(entry: EventEntry, blobs: Blobs): Stored {
  const isTold = entry.references.some(([path]) => path.length === 0 || path.join() === "task")
  if (!isTold) return entry.event
  try {
    return wholeEvent({ ...entry, event: structuredClone(entry.event) }, blobs)
  } catch (error) {
    if (error instanceof CadreError) return entry.event
    throw error
  }
}

export function parseLine(
  line: Line,
  root: string,
  blobs: Blobs,
): { readonly entry: Entry | undefined; readonly place: "last" | "more" } {
  const { bytes, offset, length } = line
  if (bytes === undefined) return { entry: damaged("it is too long", undefined, line), place: "last" }
  const unsealed = unseal(bytes)
  if (unsealed.type === "bad")
    return {
      entry: damaged(unsealed.reason, suspectIn(bytes, root), line, Buffer.from(bytes)),
      place: "last",
    }
  const { value, text, place } = unsealed
  // Every event has a `run` of its own, so a line without one is the store's: a mark or a packed event.
  const own = !Object.hasOwn(value, "run")
  if (own && Object.hasOwn(value, "released")) return { entry: undefined, place }
  const references = own ? referencesOf(value.packed) : []
  const event = own ? value.value : value
  if (references === undefined || !isEvent(event, root))
    return { entry: damaged("it is not an event of this tree", undefined, line), place }
  const missing = references.find(([, hash]) => !blobs.has(hash))
  if (missing !== undefined)
    return {
      entry: damaged(`its blob ${missing[1]} is missing`, { run: event.run, seq: event.seq }, line),
      place,
    }
  return { entry: { type: "event", event, references, text, offset, length }, place }
}

const pauseAfter = 1 << 17

export const damaged = (
  reason: string,
  suspect: DamagedEntry["suspect"],
  { offset, length }: Pick<Line, "offset" | "length">,
  bytes?: Buffer,
): DamagedEntry => ({ type: "damaged", reason, suspect, offset, length, bytes })

/** What the line says of itself, if that can be: it may be just what is damaged. */
function suspectIn(bytes: Buffer, root: string): DamagedEntry["suspect"] {
  const text = bytes.toString("latin1")
  const run = /"run":"([0-9a-z.]{26,200})"/.exec(text)?.[1]
  const seq = /"seq":(\d{1,15})[,}]/.exec(text)?.[1]
  if (run === undefined || seq === undefined || !isRunId(run) || rootOf(run) !== root) return undefined
  return { run, seq: Number(seq) }
}

function isEvent(value: unknown, root: string): value is Stored {
  if (typeof value !== "object" || value === null) return false
  const { run, seq, at, type } = value as { [key in keyof Stored]?: unknown }
  if (typeof run !== "string" || !isRunId(run) || rootOf(run) !== root) return false
  return (
    Number.isSafeInteger(seq) && (seq as number) >= 0 && typeof at === "number" && typeof type === "string"
  )
}
