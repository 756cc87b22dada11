import { createHash, randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { setTimeout as pauseFor } from "node:timers/promises"
import { isInside } from "../../ground/paths/inside.ts"
import { listEntries } from "../../ground/paths/look.ts"
import { isAlive } from "../../ground/process-state.ts"
import { listStandInFolders } from "../stores/jsonl/stand-in-folders.ts"
import { hostName } from "./child-environment.ts"
import { hostValue } from "./host.ts"
import { findMarkedProcesses, sendSignal } from "./processes.ts"
import type { StandIn } from "./stand-in.ts"
import {
  isOwnerAtWork,
  readStandInNotes,
  type StandInNote,
  writeIntent,
  writeMade,
} from "./stand-in-notes.ts"

export interface StandIns {
  /** The paths for the sandbox to protect. A missing path without a stand-in is left out. */
  readonly places: readonly string[]
  /** Removes the stand-ins that no other command needs. */
  free(): Promise<void>
}

interface StandInOptions {
  readonly root: string
  readonly writable: readonly string[]
  readonly names: readonly string[]
}

/**
 * Makes an empty folder, a stand-in, for each missing protected path, because the sandbox can only mount over
 * a path that exists. Several commands can share a stand-in; the last one removes it. A command first writes a
 * note outside of the workspace. If its process is killed, another process reads the note and removes them.
 */
export async function makeStandIns({ root, writable, names }: StandInOptions): Promise<StandIns> {
  const folders = [root, ...writable]
    .filter((folder) => fs.existsSync(folder))
    .map((folder) => fs.realpathSync(folder))
  const notes = notesOf(root)
  const file = path.join(notes, `${hostValue}.${randomUUID()}`)
  let protectedPlaces: readonly string[] = []
  let needed: readonly StandIn[] = []
  let unmakable: readonly string[] = []
  await withLock(notes, async () => {
    const live = await sweep(notes)
    const standIns = new Set(live.map(({ place }) => place))
    protectedPlaces = [
      ...new Set(names.map((name) => wholeMissing(path.resolve(root, name), folders, standIns))),
    ]
    const isMissing = (place: string) => statusOf(place) === undefined
    const shared = live.filter(({ place }) => protectedPlaces.includes(place))
    const missing = protectedPlaces.filter((place) => isMissing(place) && isInAny(folders, place))
    if (shared.length + missing.length === 0) return
    writeIntent(file, shared, missing)
    const own = missing.map((place) => ({ place, id: makeStandIn(place) }))
    writeMade(file, own)
    needed = [...shared, ...own.filter((one): one is StandIn => one.id !== undefined)]
    // If cadre cannot make a path, a command in the sandbox cannot make it, either.
    unmakable = missing.filter(isMissing)
  })
  const heartbeat = setInterval(() => touch(file), 30_000).unref()
  return {
    places: protectedPlaces.filter((place) => !unmakable.includes(place)),
    async free() {
      clearInterval(heartbeat)
      if (needed.length === 0) return
      await withLock(notes, async () => {
        const livePlaces = new Set((await sweep(notes, file)).map(({ place }) => place))
        for (const one of needed) if (!livePlaces.has(one.place)) removeStandIn(one)
        // The note is removed last. If the process is killed before, the note still lists the remaining stand-ins.
        fs.rmSync(file, { force: true })
      })
    },
  }
}

/** Removes the stand-ins of processes that no longer exist, in all workspaces. `folders` have the notes. */
export async function sweepStandIns(
  folders: readonly string[] = listStandInFolders(process.env),
): Promise<void> {
  for (const folder of folders)
    for (const entry of listEntries(folder)) {
      const notes = path.join(folder, entry.name)
      if (entry.isDirectory()) await withLock(notes, async () => void (await sweep(notes)))
    }
}

/**
 * Every stand-in has the sticky bit, and other folders at protected paths do not. So a stand-in is recognised
 * even if its process was killed before it recorded the inode.
 */
const sticky = 0o1000

function makeStandIn(place: string): string | undefined {
  try {
    fs.mkdirSync(place, { mode: 0o755 | sticky })
    return idOf(place)
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (["EEXIST", "EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR"].includes(code)) return undefined
    throw error
  }
}

/**
 * Removes the folder if it is still the one that was made, and empty. If it has content it stays, without the
 * sticky bit.
 */
function removeStandIn({ place, id }: StandIn): void {
  if (idOf(place) !== id) return
  removeFolder(place)
  if (idOf(place) === id) fs.chmodSync(place, Number.parseInt(id.split(":")[2]!, 16) & 0o777)
}

function idOf(place: string): string | undefined {
  const status = statusOf(place)
  return status?.isDirectory() ? `${status.dev}:${status.ino}:${status.mode.toString(16)}` : undefined
}

/** Undefined for a missing path, also for a path below a file. */
function statusOf(place: string): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(place, { bigint: true })
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code!)) return undefined
    throw error
  }
}

/** Removes the stand-ins of dead processes. Returns the stand-ins in the notes of live ones, without the note `without`. */
async function sweep(notes: string, without?: string): Promise<readonly StandIn[]> {
  const all = readStandInNotes(notes).filter(({ file }) => file !== without)
  // Commands share stand-ins, and the next note lists all of these. Without removing duplicates, each note would be
  // twice as long as the last.
  const live = [
    ...new Map(all.filter(isOwnerAtWork).flatMap(({ made }) => made.map((one) => [one.place, one]))).values(),
  ]
  const dead = all.filter((note) => !isOwnerAtWork(note))
  for (const host of new Set(dead.map(({ host }) => host))) await killRemaining(host)
  const isNeeded = ({ place }: { readonly place: string }) => live.some((one) => one.place === place)
  for (const note of dead) {
    for (const one of standInsOf(note)) if (!isNeeded(one)) removeStandIn(one)
    fs.rmSync(note.file, { force: true })
  }
  return live
}

/** The stand-ins of a note, also those that the process made just before it was killed. */
function standInsOf({ made, intended }: StandInNote): readonly StandIn[] {
  const unnoted = intended.flatMap((place) => {
    const status = statusOf(place)
    const id = status && (Number(status.mode) & sticky) !== 0 ? idOf(place) : undefined
    return id === undefined || made.some((one) => one.place === place) ? [] : [{ place, id }]
  })
  return [...made, ...unnoted]
}

/** Kills commands that a dead process left running: without the stand-ins their sandbox would protect nothing. */
async function killRemaining(host: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const remaining = findMarkedProcesses(hostName, host)
    if (remaining.length === 0) return
    for (const id of remaining) sendSignal(id, "SIGKILL")
    await pauseFor(5)
  }
}

/**
 * Returns the highest missing folder above a protected path. A stand-in there is enough: no file can be made in
 * a folder that cannot be made. Another command's stand-in counts as missing.
 */
function wholeMissing(place: string, folders: readonly string[], standIns: ReadonlySet<string>): string {
  const above = path.dirname(place)
  const isMissing = standIns.has(above) || statusOf(above) === undefined
  if (isInAny(folders, above) && isMissing) return wholeMissing(above, folders, standIns)
  // Links are resolved, so that the caller sees whether the path is still inside its folders.
  return fs.existsSync(above) ? path.join(fs.realpathSync(above), path.basename(place)) : place
}

const isInAny = (folders: readonly string[], place: string): boolean =>
  folders.some((folder) => isInside(folder, place))

/**
 * The folder of the notes: the first writable one. It is private to the user and outside of the workspace.
 */
function notesOf(root: string): string {
  const name = createHash("sha256").update(fs.realpathSync(root)).digest("hex").slice(0, 32)
  let problem: unknown
  for (const folder of listStandInFolders(process.env))
    try {
      fs.mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 })
      const { uid } = fs.lstatSync(folder)
      if (uid === process.getuid?.()) return path.join(folder, name)
      problem = new Error(`${folder} belongs to another user, so it is not used. Remove it.`)
    } catch (error) {
      problem = error
    }
  throw problem
}

const lockName = ".lock"

/**
 * Does the work while no other process does such work here. The lock is a link whose target is the number of
 * this process. The lock of a dead process is removed. So is a lock that is older than `longestWait`: another
 * process has got the number of the dead one.
 */
async function withLock(notes: string, work: () => Promise<void>): Promise<void> {
  const lock = path.join(notes, lockName)
  let [misses, waits] = [0, 0]
  for (;;) {
    try {
      // The last owner of the lock may have removed the folder.
      fs.mkdirSync(notes, { recursive: true, mode: 0o700 })
      fs.symlinkSync(String(process.pid), lock)
      break
    } catch (error) {
      const owner = lockOwner(lock)
      if (owner === undefined) {
        // The lock or its folder was just removed, unless that goes on.
        if (++misses > mostMisses) throw error
      } else if (!isAlive(owner) || ++waits > longestWait / pause) fs.rmSync(lock, { force: true })
      else await pauseFor(pause)
    }
  }
  try {
    await work()
  } finally {
    fs.rmSync(lock, { force: true })
    removeFolder(notes)
    removeFolder(path.dirname(notes))
  }
}

function removeFolder(folder: string): void {
  try {
    fs.rmdirSync(folder)
  } catch {
    // The folder was never made, or is not empty.
  }
}

const [pause, longestWait] = [5, 20_000]
/** The number of attempts that may fail although there is no lock. */
const mostMisses = 100

function lockOwner(lock: string): number | undefined {
  try {
    return Number(fs.readlinkSync(lock))
  } catch {
    // The lock was just released.
    return undefined
  }
}

function touch(file: string): void {
  try {
    fs.utimesSync(file, new Date(), new Date())
  } catch {
    // Another process believed that this one was dead, and removed the note and the stand-ins.
  }
}
