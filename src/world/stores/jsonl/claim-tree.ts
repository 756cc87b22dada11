import fs from "node:fs"
import path from "node:path"
import type { Claim, Refusal } from "../../../run/log/store.ts"
import { makeFolder } from "./disk.ts"
import type { Source } from "./entries.ts"
import { cutShort, missingIn, readExtent } from "./extent.ts"
import {
  damagedFile,
  formatVersion,
  headerLine,
  isReleased,
  isSuperseded,
  logFile,
  lookAtNewest,
  newestEpoch,
  openLog,
  type ReadHeader,
  readHeader,
} from "./folder.ts"
import { forgetHead } from "./head-index.ts"
import { sendAgain } from "./inbox.ts"
import { killOwner, livenessOf } from "./liveness.ts"
import { LogCopy, type OpenLog } from "./log-copy.ts"
import { namesIn } from "./names-in.ts"
import { describe, type Owner } from "./owner.ts"
import type { Place } from "./place.ts"
import { remedy } from "./remedy.ts"

/** A log that this process has made the newest one of its tree. */
export interface Taken extends OpenLog {
  readonly type: "taken"
  readonly claim: Claim
}

export interface ClaimOptions {
  readonly force?: true
  readonly repair?: true
}

/**
 * Lock, takeover and fence in one atomic call: a copy of the log with our name in its header is linked to the next
 * number. Who comes second finds the number taken; a former owner that wakes up holds the descriptor of a dead file.
 */
export async function claimTree(
  place: Place,
  run: string,
  owner: Owner,
  options: ClaimOptions,
): Promise<Taken | Refusal> {
  const epoch = newestEpoch(place.folder)
  const descriptor = epoch === 0 ? undefined : openLog(place.folder, epoch)
  if (descriptor === undefined) return { type: "unknown-run" }
  try {
    const result = await takeOver(place, { epoch, descriptor }, run, owner, options)
    // Who was faster may have emptied the log while we read it: what we saw says nothing then.
    const lost = result.type !== "taken" && isSuperseded(place.folder, epoch)
    return lost ? { type: "owned", by: newestOwner(place) } : result
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Creates a tree's first log with its first event. False: there is one. */
export async function createLog(place: Place, text: string): Promise<boolean> {
  makeFolder(place.folder)
  const copy = new LogCopy(place, 1, headerLine({ cadre: formatVersion, epoch: 1, owner: null }))
  try {
    copy.write(text)
    if (!(await copy.link())) return false
  } finally {
    copy.discard()
  }
  // Side by side: neither name is of use without the other, and nobody hears of the run before the disk has both.
  await Promise.all([place.disk.syncFolder(place.folder), place.disk.syncFolder(path.dirname(place.folder))])
  return true
}

/** Takes the next number with an empty log, so that nobody else can, before the folder goes. */
export async function linkRemoval(place: Place, epoch: number): Promise<boolean> {
  const copy = new LogCopy(
    place,
    epoch + 1,
    headerLine({ cadre: formatVersion, epoch: epoch + 1, owner: null, removed: true }),
  )
  try {
    return await copy.link()
  } finally {
    copy.discard()
  }
}

async function takeOver(
  place: Place,
  old: { readonly epoch: number; readonly descriptor: number },
  run: string,
  owner: Owner,
  options: ClaimOptions,
): Promise<Taken | Refusal> {
  const { folder, root } = place
  const extent = readExtent(folder)
  const header = readHeader(place.disk, old.descriptor, root)
  const refusal = await checkOwner(place, old.descriptor, header, options)
  if (refusal !== undefined) return refusal
  const kept = header.type === "header" ? header.header : header.mended
  const next = old.epoch + 1
  const opening = headerLine({ ...kept, cadre: formatVersion, epoch: next, owner })
  let copy = new LogCopy(place, next, opening)
  try {
    const source = { ...place, descriptor: old.descriptor }
    let end = await copy.addAll(source, header.length)
    const missing = missingIn(extent, old.epoch, fs.fstatSync(old.descriptor).size)
    if (missing > 0) copy.lose(cutShort(missing))
    else end = await addRest(copy, source, end)
    const size = fs.fstatSync(old.descriptor).size
    let torn = size - end
    if (header.type === "damaged" || copy.damage.size > 0) {
      if (options.repair !== true) return damagedRefusal(root, copy)
      copy.discard()
      copy = new LogCopy(place, next, opening)
      const found = header.type === "damaged" ? (kept ? "mended" : "lost") : "whole"
      const { mendInto } = await import("./repair.ts")
      const mended = await mendInto(copy, source, {
        from: header.length,
        missing,
        header: found,
        epoch: old.epoch,
      })
      if (mended === "lost-root") return lostRoot
      sendAgain(place)
      await keepDamaged(folder, old.epoch)
      end = size
      torn = 0
      place.onDamage(mended)
    }
    if (!copy.index.has(root)) return lostRoot
    if (!copy.index.has(run)) return { type: "unknown-run" }
    if (options.repair === true || copy.index.rootHead()?.status === "ended") forgetHead(place)
    if (!(await copy.link())) return { type: "owned", by: "another process" }
    await place.disk.syncFolder(folder)
    // A forced takeover may have found the owner alive: what it was told is recorded must not be lost.
    await copy.addAll(source, end)
    await copy.sync()
    emptySuperseded(folder, old.epoch)
    sweepTemporaries(folder, next)
    if (torn > 0)
      place.onDamage(`The last ${torn} bytes were an append that was not finished; they were dropped.`)
    const claim: Claim = Object.freeze({ run: root, epoch: next, covers: "tree" })
    return { type: "taken", claim, ...copy.keep() }
  } finally {
    copy.discard()
  }
}

/** Why the tree cannot be had: somebody holds it. Undefined when nobody does, or `force` has dealt with it. */
export async function checkOwner(
  place: Place,
  descriptor: number,
  read: ReadHeader,
  options: ClaimOptions,
): Promise<Refusal | undefined> {
  if (read.type === "damaged" && read.mended === undefined) {
    // Then it does not matter whose it was: no option would have it go on.
    if (!(await hasStart({ ...place, descriptor }, read.length))) return lostRoot
    if (options.repair !== true)
      return {
        type: "damaged",
        message: `The first line of the log of run ${place.root} is damaged, and with it the name of its owner. ${remedy(place.root, "unnamed")}`,
      }
    return options.force === true
      ? undefined
      : {
          type: "owned",
          by: "an owner that the damaged log no longer names; once you know that nothing drives it, repair it by force",
        }
  }
  const { owner, removed } = read.type === "damaged" ? read.mended! : read.header
  if (removed === true) return { type: "unknown-run" }
  if (owner === null || isReleased(place.disk, descriptor, owner)) return undefined
  const liveness = await livenessOf(owner)
  if (liveness.type === "dead") return undefined
  if (options.force !== true) return { type: "owned", by: describe(owner, liveness.detail) }
  await killOwner(owner)
  return undefined
}

/** Whether the first event of the root can still be read, or be put right. */
async function hasStart(source: Source, from: number): Promise<boolean> {
  const { survey } = await import("./survey.ts")
  for await (const entry of survey(source, from))
    if (entry.type === "event" && entry.event.run === source.root && entry.event.seq === 0) return true
  return false
}

const lostRoot: Refusal = {
  type: "damaged",
  message:
    "The first event of the root run is lost, and with it what the run was asked to do: it cannot be resumed. `cadre log` shows what is left.",
}

function damagedRefusal(root: string, { damage, index }: Pick<LogCopy, "damage" | "index">): Refusal {
  if (!index.has(root)) return lostRoot
  const [run, reason] = [...damage][0] ?? [root, "its first line cannot be read as it is"]
  const others = damage.size > 1 ? ` ${damage.size - 1} more runs of its tree are damaged too.` : ""
  return {
    type: "damaged",
    message: `The log of run ${run} is damaged: ${reason}.${others} ${remedy(root)}`,
  }
}

const brokenAt = (offset: number): string => `a line was lost at byte ${offset}: its newline is not one`

/**
 * Behind the last whole line: whatever is more than the torn beginning of another is lost, unless it can be read by now.
 * An owner that is still at work adds lines meanwhile.
 */
async function addRest(copy: LogCopy, source: Source, end: number): Promise<number> {
  // Less, where whoever was faster has emptied it.
  if (fs.fstatSync(source.descriptor).size <= end) return end
  const { survey } = await import("./survey.ts")
  const offsets: number[] = []
  for await (const { offset } of survey(source, end)) offsets.push(offset)
  if (offsets.length === 0) return end
  const next = await copy.addAll(source, end)
  if (next > end) return addRest(copy, source, next)
  for (const offset of offsets) copy.lose(brokenAt(offset))
  return end
}

/** The log as it was, for whoever knows better than a repair. */
async function keepDamaged(folder: string, epoch: number): Promise<void> {
  const file = damagedFile(folder, epoch)
  fs.copyFileSync(logFile(folder, epoch), file)
  const handle = await fs.promises.open(file, "r+")
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function newestOwner(place: Place): string {
  const read = lookAtNewest(place.folder, (descriptor) => readHeader(place.disk, descriptor, place.root))
  return read?.type === "header" && read.header.owner !== null
    ? describe(read.header.owner, "")
    : "another process"
}

/** From the oldest on, so that a crash in between leaves no full file below an empty one. */
function emptySuperseded(folder: string, newest: number): void {
  let oldest = newest
  while (oldest > 1 && sizeOf(logFile(folder, oldest - 1)) > 0) oldest--
  for (let epoch = oldest; epoch <= newest; epoch++) fs.truncateSync(logFile(folder, epoch))
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A temporary file for a number that is taken cannot be linked any more, whoever made it. */
function sweepTemporaries(folder: string, epoch: number): void {
  for (const name of namesIn(folder)) {
    const target = /^temporary\.(\d+)\./.exec(name)?.[1]
    if (target !== undefined && Number(target) <= epoch) fs.rmSync(path.join(folder, name), { force: true })
  }
}
