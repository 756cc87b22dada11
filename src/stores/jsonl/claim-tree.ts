import fs from "node:fs"
import path from "node:path"
import type { Claim, Refusal } from "../../run/store.ts"
import { makeFolder, syncFolder } from "./disk.ts"
import {
  formatVersion,
  headerLine,
  isReleased,
  logFile,
  namesIn,
  newestEpoch,
  type ReadHeader,
  readHeader,
} from "./folder.ts"
import { killOwner, livenessOf } from "./liveness.ts"
import { LogCopy, type OpenLog } from "./log-copy.ts"
import { describe, type Owner } from "./owner.ts"
import type { Place } from "./place.ts"

/** A log that this process has made the newest one of its tree. */
export interface Taken extends OpenLog {
  readonly type: "taken"
  readonly claim: Claim
}

/**
 * Lock, takeover and fence in one atomic call: a copy of the log with our name in its header is linked to the next
 * number. Who comes second finds the number taken; a former owner that wakes up holds the descriptor of a dead file.
 */
export async function claimTree(
  place: Place,
  run: string,
  owner: Owner,
  options: { readonly force?: true; readonly repair?: true },
): Promise<Taken | Refusal> {
  const { folder, root } = place
  const epoch = newestEpoch(folder)
  if (epoch === 0) return { type: "unknown-run" }
  const old = fs.openSync(logFile(folder, epoch), "r")
  try {
    const header = readHeader(place.disk, old, root)
    const refusal = await checkOwner(place, old, header, options)
    if (refusal !== undefined) return refusal
    const kept = header.type === "header" ? header.header : undefined
    const copy = new LogCopy(
      place,
      epoch + 1,
      headerLine({ ...kept, cadre: formatVersion, epoch: epoch + 1, owner }),
    )
    try {
      const source = { ...place, descriptor: old }
      const end = await copy.addAll(source, header.length)
      const torn = fs.fstatSync(old).size - end
      if (copy.damage.size > 0 && options.repair !== true) return damagedRefusal(copy.damage)
      if (!copy.index.has(root)) return lostRoot
      if (!copy.index.has(run)) return { type: "unknown-run" }
      if (!(await copy.link())) return { type: "owned", by: newestOwner(place) }
      await syncFolder(folder)
      // A forced takeover may have found the owner alive: what it was told is recorded must not be lost.
      await copy.addAll(source, end)
      copy.flush()
      emptySuperseded(folder, epoch)
      sweepTemporaries(folder, epoch + 1)
      if (torn > 0)
        place.onDamage(`The last ${torn} bytes were an append that was not finished; they were dropped.`)
      if (copy.dropped > 0)
        place.onDamage(`${copy.dropped} lines after the first damage of their run were dropped.`)
      const claim: Claim = Object.freeze({ run: root, epoch: epoch + 1, covers: "tree" })
      return { type: "taken", claim, ...copy.keep() }
    } finally {
      copy.discard()
    }
  } finally {
    fs.closeSync(old)
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
  await syncFolder(place.folder)
  await syncFolder(path.dirname(place.folder))
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

/** Why the tree cannot be had: somebody holds it. Undefined when nobody does, or `force` has dealt with it. */
export async function checkOwner(
  place: Place,
  descriptor: number,
  read: ReadHeader,
  options: { readonly force?: true; readonly repair?: true },
): Promise<Refusal | undefined> {
  if (read.type === "damaged") {
    if (options.repair !== true)
      return { type: "damaged", message: `The first line of the log of run ${place.root} is damaged.` }
    return options.force === true
      ? undefined
      : { type: "owned", by: "an owner that the damaged log no longer names" }
  }
  const { owner, removed } = read.header
  if (removed === true) return { type: "unknown-run" }
  if (owner === null || isReleased(place.disk, descriptor, owner)) return undefined
  const liveness = await livenessOf(owner)
  if (liveness.type === "dead") return undefined
  if (options.force !== true) return { type: "owned", by: describe(owner, liveness.detail) }
  await killOwner(owner)
  return undefined
}

const lostRoot: Refusal = {
  type: "damaged",
  message: "The first event of the root run is lost; the tree cannot be resumed.",
}

function damagedRefusal(damage: ReadonlyMap<string, string>): Refusal {
  const [[run, reason]] = damage as unknown as [[string, string]]
  const others = damage.size > 1 ? ` ${damage.size - 1} more runs of its tree are damaged too.` : ""
  return {
    type: "damaged",
    message: `The log of run ${run} is damaged: ${reason}.${others} What comes before can be read. Claim with repair to go on from there.`,
  }
}

function newestOwner(place: Place): string {
  const descriptor = fs.openSync(logFile(place.folder, newestEpoch(place.folder)), "r")
  try {
    const read = readHeader(place.disk, descriptor, place.root)
    return read.type === "header" && read.header.owner !== null
      ? describe(read.header.owner, "")
      : "another process"
  } finally {
    fs.closeSync(descriptor)
  }
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
