import path from "node:path"
import { eventVersion } from "../../../run/log/event.ts"
import type { EventLost, LogRepair } from "../../../run/log/event-run.ts"
import type { Stored } from "../../../run/log/store.ts"
import type { DamagedEntry, Source } from "./entries.ts"
import { cutShort } from "./extent.ts"
import { damagedFile } from "./folder.ts"
import type { LogCopy } from "./log-copy.ts"
import { survey } from "./survey.ts"

interface Found {
  readonly from: number
  /** Bytes that the log had and has no more. */
  readonly missing: number
  readonly header: "whole" | "mended" | "lost"
  readonly epoch: number
}

/**
 * Copies a damaged log with all that can be read of it. An event that cannot be read leaves an `event-lost` in its place,
 * so that nothing after it is dropped; where it cannot be told whose it was, every run that has not ended gets one.
 */
export async function mendInto(copy: LogCopy, source: Source, found: Found): Promise<string | "lost-root"> {
  let restored = found.header === "mended" ? 1 : 0
  let placed = 0
  const unread: DamagedEntry[] = []
  /** Where the last event of each run is that can be read, and which are marked as lost. */
  const last = new Map<string, number>()
  const marked = new Set<string>()
  const lose = (run: string, seq: number, reason: string, more: { at?: number; rest?: true } = {}) => {
    placed++
    marked.add(`${run} ${seq}`)
    copy.put(lostEvent(copy, { run, seq, reason, ...more }))
  }
  for await (const entry of survey(source, found.from, () => restored++)) {
    if (entry.type === "damaged") {
      unread.push(entry)
      continue
    }
    const { event } = entry
    const next = copy.index.continuity.next(event.run) ?? 0
    if (event.run === source.root && next === 0 && event.seq > 0) return "lost-root"
    // Written twice, or so far ahead that it cannot be of this log.
    if (event.seq < next || event.seq - next > mostMissing) continue
    for (let seq = next; seq < event.seq; seq++)
      lose(event.run, seq, reasonOf(unread, event.run, seq), { at: event.at })
    copy.put(event, entry.text)
    last.set(event.run, entry.offset)
  }
  if (!copy.index.has(source.root)) return "lost-root"
  let unplaced = unread.length - placed
  for (const { suspect, reason, offset } of unread)
    if (suspect && suspect.seq === copy.index.continuity.next(suspect.run)) {
      lose(suspect.run, suspect.seq, lineLost(offset, reason))
      unplaced--
    }
  const reasons = [
    ...(found.header === "lost" ? ["its first line, with the name of its owner, was lost"] : []),
    ...unread.map(({ offset, reason }) => lineLost(offset, reason)),
    ...(found.missing > 0 ? [cutShort(found.missing)] : []),
  ]
  // Each mark stands for one line, and no line for two events.
  const isMarked = ({ suspect }: DamagedEntry) => suspect && marked.delete(`${suspect.run} ${suspect.seq}`)
  const unsure = unread.filter((line) => !isMarked(line) || mayHoldSeveral(line)).at(-1)?.offset ?? 0
  // Of a run with events behind that line a gap tells; the end of any other may have been in it.
  for (const { run, status } of [...copy.index.heads()])
    if (status === "open" && (unplaced > 0 || found.missing > 0 || unsure > last.get(run)!))
      lose(run, copy.index.continuity.next(run)!, reasons.at(-1)!, { rest: true })
  const repair: LogRepair = {
    type: "log-repair",
    restored,
    lost: placed,
    reasons: reasons.slice(0, mostReasons),
    kept: path.basename(damagedFile("", found.epoch)),
  }
  const { root } = source
  copy.put({
    run: root,
    seq: copy.index.continuity.next(root)!,
    at: copy.index.updatedAt(root)!,
    v: eventVersion,
    ...repair,
  })
  const lines = restored === 1 ? "1 line was restored" : `${restored} lines were restored`
  const events = placed === 1 ? "1 event is lost" : `${placed} events are lost`
  return `The log was damaged and is mended: ${lines}, ${events}.`
}

/** A run that has lost more than this in one place is not believed. */
const mostMissing = 10_000
const mostReasons = 10

/** Whether the line end between two events may be among what was overwritten: two lines that became one are no JSON. */
function mayHoldSeveral({ bytes }: DamagedEntry): boolean {
  if (!bytes) return true
  try {
    JSON.parse(bytes.toString("utf8"))
    return false
  } catch {
    return true
  }
}

const lineLost = (offset: number, reason: string): string => `a line was lost at byte ${offset}: ${reason}`

function reasonOf(unread: readonly DamagedEntry[], run: string, seq: number): string {
  const line = unread.find(({ suspect }) => suspect?.run === run && suspect.seq === seq) ?? unread.at(-1)
  return line ? lineLost(line.offset, line.reason) : "its line is gone"
}

/** Its time is that of the event before it: time that nobody saw counts for nothing. */
function lostEvent(
  copy: LogCopy,
  { run, seq, at, ...lost }: Pick<Stored, "run" | "seq"> & { at?: number } & Omit<EventLost, "type">,
): Stored {
  const time = copy.index.updatedAt(run) ?? at ?? 0
  return { run, seq, at: time, v: eventVersion, type: "event-lost", ...lost } as Stored
}
