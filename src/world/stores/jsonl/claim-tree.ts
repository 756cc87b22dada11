import fs from "node:fs"
import path from "node:path"
import type { Claim, StoreRefusal } from "../../../run/log/store.ts"
import { makeFolder } from "./disk.ts"
import type { LogSource } from "./entries.ts"
import { countMissingBytes, describeMissingBytes, readExtent } from "./extent.ts"
import {
  findNewestEpoch,
  formatVersion,
  type HeaderResult,
  isReleased,
  isSuperseded,
  locateDamagedFile,
  logFile,
  openLog,
  readHeader,
  readNewest,
  writeHeaderLine,
} from "./folder.ts"
import { forgetHead } from "./head-index.ts"
import { sendAgain } from "./inbox.ts"
import { listNames } from "./list-names.ts"
import { checkLiveness, killOwner } from "./liveness.ts"
import { LogCopy, type OpenLog } from "./log-copy.ts"
import { type ClaimOwner, describeOwner } from "./owner.ts"
import type { TreePlace } from "./place.ts"
import { describeRemedy } from "./remedy.ts"

/** The newest log of a tree, made and owned by this process. */
export interface ClaimedLog extends OpenLog {
  readonly type: "taken"
  readonly claim: Claim
}

export interface ClaimOptions {
  readonly force?: true
  readonly repair?: true
}

/**
 * Claims a tree with one atomic call: links a copy of the log, with our name in its header, to the next number. That is
 * lock, takeover and fence in one. A slower process finds the number in use. A former owner that wakes up only has the
 * descriptor of a dead file.
 */
export async function claimTree(
  place: TreePlace,
  run: string,
  owner: ClaimOwner,
  options: ClaimOptions,
): Promise<ClaimedLog | StoreRefusal> {
  const epoch = findNewestEpoch(place.folder)
  const descriptor = openLog(place.folder, epoch)
  if (descriptor === undefined) return { type: "unknown-run" }
  try {
    const result = await takeOver(place, { epoch, descriptor }, run, owner, options)
    // A faster process may have emptied the log while we read it. Then our result is meaningless.
    const wasOvertaken = result.type !== "taken" && isSuperseded(place.folder, epoch)
    return wasOvertaken ? { type: "owned", by: newestOwner(place) } : result
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Creates a tree's first log with its first event. False: the tree already has one. */
export async function createLog(place: TreePlace, text: string): Promise<boolean> {
  makeFolder(place.folder)
  const copy = new LogCopy(place, 1, writeHeaderLine({ cadre: formatVersion, epoch: 1, owner: null }))
  try {
    copy.write(text)
    if (!(await copy.link())) return false
  } finally {
    copy.discard()
  }
  // Both folders are synced at the same time: the run is announced only when the disk has both names.
  await Promise.all([place.disk.syncFolder(place.folder), place.disk.syncFolder(path.dirname(place.folder))])
  return true
}

/** Claims the next number with an empty log before the folder is deleted, so that no other process can claim it. */
export async function linkRemoval(place: TreePlace, epoch: number): Promise<boolean> {
  const copy = new LogCopy(
    place,
    epoch + 1,
    writeHeaderLine({ cadre: formatVersion, epoch: epoch + 1, owner: null, removed: true }),
  )
  try {
    return await copy.link()
  } finally {
    copy.discard()
  }
}

async function takeOver(
  place: TreePlace,
  old: { readonly epoch: number; readonly descriptor: number },
  run: string,
  owner: ClaimOwner,
  options: ClaimOptions,
): Promise<ClaimedLog | StoreRefusal> {
  const { folder, root } = place
  const extent = readExtent(folder)
  const header = readHeader(place.disk, old.descriptor, root)
  const refusal = await checkOwner(place, old.descriptor, header, options)
  if (refusal !== undefined) return refusal
  const oldHeader = header.type === "header" ? header.header : header.mended
  const next = old.epoch + 1
  const opening = writeHeaderLine({ ...oldHeader, cadre: formatVersion, epoch: next, owner })
  let copy = new LogCopy(place, next, opening)
  try {
    const source = { ...place, descriptor: old.descriptor }
    let end = await copy.addAll(source, header.length)
    const missing = countMissingBytes(extent, old.epoch, fs.fstatSync(old.descriptor).size)
    if (missing > 0) copy.lose(describeMissingBytes(missing))
    else end = await addRest(copy, source, end)
    const size = fs.fstatSync(old.descriptor).size
    let torn = size - end
    if (header.type === "damaged" || copy.damage.size > 0) {
      if (options.repair !== true) return damagedRefusal(root, copy)
      copy.discard()
      copy = new LogCopy(place, next, opening)
      const headerState = header.type === "damaged" ? (oldHeader ? "mended" : "lost") : "whole"
      const { repairInto } = await import("./repair.ts")
      const report = await repairInto(copy, source, {
        from: header.length,
        missing,
        header: headerState,
        epoch: old.epoch,
      })
      if (report === "lost-root") return lostRoot
      sendAgain(place)
      await keepDamaged(folder, old.epoch)
      end = size
      torn = 0
      place.onDamage(report)
    }
    if (!copy.index.has(root)) return lostRoot
    if (!copy.index.has(run)) return { type: "unknown-run" }
    if (options.repair === true || copy.index.rootHead()?.status === "ended") forgetHead(place)
    if (!(await copy.link())) return { type: "owned", by: "another process" }
    await place.disk.syncFolder(folder)
    // After a forced takeover the old owner may still have been alive. Events that it appended until now must not be
    // lost.
    await copy.addAll(source, end)
    await copy.sync()
    emptySuperseded(folder, old.epoch)
    sweepTemporaries(folder, next)
    if (torn > 0) place.onDamage(`The last ${torn} bytes were an unfinished append and were dropped.`)
    const claim: Claim = Object.freeze({ run: root, epoch: next, covers: "tree" })
    return { type: "taken", claim, ...copy.keep() }
  } finally {
    copy.discard()
  }
}

/** Refuses if another process owns the tree. Undefined: the tree has no living owner, or `force` has dealt with it. */
export async function checkOwner(
  place: TreePlace,
  descriptor: number,
  header: HeaderResult,
  options: ClaimOptions,
): Promise<StoreRefusal | undefined> {
  if (header.type === "damaged" && header.mended === undefined) {
    // Without its first event the run cannot be resumed by any option, so its owner does not matter.
    if (!(await hasStart({ ...place, descriptor }, header.length))) return lostRoot
    if (options.repair !== true)
      return {
        type: "damaged",
        message: `The first line of the log of run ${place.root} is damaged. It also had the name of the process that owns the run. ${describeRemedy(place.root, "unnamed")}`,
      }
    return options.force === true
      ? undefined
      : {
          type: "owned",
          by: "an unknown owner, whose name the damaged log has lost; if no process drives the run, repair it with `--force`",
        }
  }
  const { owner, removed } = header.type === "damaged" ? header.mended! : header.header
  if (removed === true) return { type: "unknown-run" }
  if (owner === null || isReleased(place.disk, descriptor, owner)) return undefined
  const liveness = await checkLiveness(owner)
  if (liveness.type === "dead") return undefined
  if (options.force !== true) return { type: "owned", by: describeOwner(owner, liveness.detail) }
  await killOwner(owner)
  return undefined
}

/** True if the first event of the root can be read, at least after a repair. */
async function hasStart(source: LogSource, from: number): Promise<boolean> {
  const { surveyLog } = await import("./survey.ts")
  for await (const entry of surveyLog(source, from))
    if (entry.type === "event" && entry.event.run === source.root && entry.event.seq === 0) return true
  return false
}

const lostRoot: StoreRefusal = {
  type: "damaged",
  message:
    "The first event of the root run is lost, and with it the run's task, so the run cannot be resumed. `cadre log` shows the readable events.",
}

function damagedRefusal(root: string, { damage, index }: Pick<LogCopy, "damage" | "index">): StoreRefusal {
  if (!index.has(root)) return lostRoot
  const [run, reason] = [...damage][0] ?? [root, "its first line is damaged"]
  return {
    type: "damaged",
    message: `The log of run ${run} is damaged: ${reason}.${othersText(damage.size - 1)} ${describeRemedy(root)}`,
  }
}

function othersText(count: number): string {
  if (count < 1) return ""
  return count === 1
    ? " 1 more run of its tree is damaged too."
    : ` ${count} more runs of its tree are damaged too.`
}

const brokenAt = (offset: number): string => `a line was lost at byte ${offset}: its newline is damaged`

/**
 * Handles the bytes after the last whole line. More than one torn line there means lost lines, unless a second look can
 * read them: a living owner may still be appending.
 */
async function addRest(copy: LogCopy, source: LogSource, end: number): Promise<number> {
  // The file is shorter than before if a faster process has emptied it.
  if (fs.fstatSync(source.descriptor).size <= end) return end
  const { surveyLog } = await import("./survey.ts")
  const offsets: number[] = []
  for await (const { offset } of surveyLog(source, end)) offsets.push(offset)
  if (offsets.length === 0) return end
  const next = await copy.addAll(source, end)
  if (next > end) return addRest(copy, source, next)
  for (const offset of offsets) copy.lose(brokenAt(offset))
  return end
}

/** Keeps a copy of the damaged log, so that a person can check the repair. */
async function keepDamaged(folder: string, epoch: number): Promise<void> {
  const file = locateDamagedFile(folder, epoch)
  fs.copyFileSync(logFile(folder, epoch), file)
  const handle = await fs.promises.open(file, "r+")
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function newestOwner(place: TreePlace): string {
  const header = readNewest(place.folder, (descriptor) => readHeader(place.disk, descriptor, place.root))
  return header?.type === "header" && header.header.owner !== null
    ? describeOwner(header.header.owner, "")
    : "another process"
}

/** Starts with the oldest file, so that a crash in between never leaves a full file below an empty one. */
function emptySuperseded(folder: string, newest: number): void {
  let oldest = newest
  while (oldest > 1 && sizeOf(logFile(folder, oldest - 1)) > 0) oldest--
  for (let epoch = oldest; epoch <= newest; epoch++) fs.truncateSync(logFile(folder, epoch))
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A temporary file for a number that is already in use can never be linked, so it can be removed. */
function sweepTemporaries(folder: string, epoch: number): void {
  for (const name of listNames(folder)) {
    const target = /^temporary\.(\d+)\./.exec(name)?.[1]
    if (Number(target) <= epoch) fs.rmSync(path.join(folder, name), { force: true })
  }
}
