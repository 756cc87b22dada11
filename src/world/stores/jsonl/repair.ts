import path from "node:path"
import { eventVersion } from "../../../run/log/event.ts"
import type { EventLost, LogRepair } from "../../../run/log/event-run.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import type { DamagedEntry, LogSource } from "./entries.ts"
import { describeMissingBytes } from "./extent.ts"
import { locateDamagedFile } from "./folder.ts"
import type { LogCopy } from "./log-copy.ts"
import { surveyLog } from "./survey.ts"

interface Damage {
  readonly from: number
  /** The number of bytes that the log has lost at its end. */
  readonly missing: number
  readonly header: "whole" | "mended" | "lost"
  readonly epoch: number
}

/**
 * Copies everything readable of a damaged log. An unreadable event is replaced by an `event-lost`, so that later events
 * are kept. If the event's run is unknown, every run that has not ended gets an `event-lost`.
 */
export async function repairInto(
  copy: LogCopy,
  source: LogSource,
  damage: Damage,
): Promise<string | "lost-root"> {
  let restored = damage.header === "mended" ? 1 : 0
  let lostCount = 0
  const unreadLines: DamagedEntry[] = []
  /** The offset of each run's last readable event, and the events that are marked as lost. */
  const lastOffsets = new Map<string, number>()
  const markedEvents = new Set<string>()
  const lose = (run: string, seq: number, reason: string, more: { at?: number; rest?: true } = {}) => {
    lostCount++
    markedEvents.add(`${run} ${seq}`)
    copy.put(lostEvent(copy, { run, seq, reason, ...more }))
  }
  for await (const entry of surveyLog(source, damage.from, () => restored++)) {
    if (entry.type === "damaged") {
      unreadLines.push(entry)
      continue
    }
    const { event } = entry
    const next = copy.index.continuity.next(event.run) ?? 0
    if (event.run === source.root && next === 0 && event.seq > 0) return "lost-root"
    // The event was written twice, or is so far ahead that it cannot belong to this log.
    if (event.seq < next || event.seq - next > maxGap) continue
    for (let seq = next; seq < event.seq; seq++)
      lose(event.run, seq, reasonOf(unreadLines, event.run, seq), { at: event.at })
    copy.put(event, entry.text)
    lastOffsets.set(event.run, entry.offset)
  }
  if (!copy.index.has(source.root)) return "lost-root"
  let unplacedLines = unreadLines.length - lostCount
  for (const { suspect, reason, offset } of unreadLines)
    if (suspect && suspect.seq === copy.index.continuity.next(suspect.run)) {
      lose(suspect.run, suspect.seq, lineLost(offset, reason))
      unplacedLines--
    }
  const reasons = [
    ...(damage.header === "lost" ? ["its first line, with the name of its owner, was lost"] : []),
    ...unreadLines.map(({ offset, reason }) => lineLost(offset, reason)),
    ...(damage.missing > 0 ? [describeMissingBytes(damage.missing)] : []),
  ]
  // Each mark stands for one line, and each line for at most one event.
  const isMarked = ({ suspect }: DamagedEntry) =>
    suspect && markedEvents.delete(`${suspect.run} ${suspect.seq}`)
  const unsureLine = unreadLines.filter((line) => !isMarked(line) || mayHoldSeveral(line)).at(-1)
  // A run with events after that line shows a gap if it lost one. The end of any other run may have been in that line.
  for (const { run, status } of [...copy.index.heads()])
    if (
      status === "open" &&
      (unplacedLines > 0 ||
        damage.missing > 0 ||
        (unsureLine !== undefined && unsureLine.offset > lastOffsets.get(run)!))
    )
      lose(run, copy.index.continuity.next(run)!, reasons.at(-1)!, { rest: true })
  const repair: LogRepair = {
    type: "log-repair",
    restored,
    lost: lostCount,
    reasons: reasons.slice(0, maxReasons),
    kept: path.basename(locateDamagedFile("", damage.epoch)),
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
  const events = lostCount === 1 ? "1 event is lost" : `${lostCount} events are lost`
  return `The log was damaged and has been repaired: ${lines}, ${events}.`
}

/** The largest gap that is believed in one place. */
const maxGap = 10_000
const maxReasons = 10

/** True if the damage may cover the newline between two events. Two lines that became one are not valid JSON. */
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

function reasonOf(unreadLines: readonly DamagedEntry[], run: string, seq: number): string {
  const line =
    unreadLines.find(({ suspect }) => suspect?.run === run && suspect.seq === seq) ?? unreadLines.at(-1)
  return line ? lineLost(line.offset, line.reason) : "its line is missing"
}

/** The lost event gets the time of the event before it, so that unseen time does not count. */
function lostEvent(
  copy: LogCopy,
  { run, seq, at, ...lost }: Pick<StoredEvent, "run" | "seq"> & { at?: number } & Omit<EventLost, "type">,
): StoredEvent {
  const time = copy.index.updatedAt(run) ?? at ?? 0
  return { run, seq, at: time, v: eventVersion, type: "event-lost", ...lost } as StoredEvent
}
