import { createHash, randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { setTimeout as pauseFor } from "node:timers/promises"
import { isInside } from "../../ground/paths/inside.ts"
import { isAlive } from "../../ground/process-state.ts"
import { standInFolders } from "../stores/jsonl/stand-in-folders.ts"
import { hostName } from "./child-environment.ts"
import { hostValue } from "./host.ts"
import { namesIn } from "./names-in.ts"
import { markedProcesses, sendSignal } from "./processes.ts"
import type { StandIn } from "./stand-in.ts"
import { isAtWork, type Note, notesIn, writeIntent, writeMade } from "./stand-in-notes.ts"

export interface Guard {
  /** What the sandbox is to protect: all of it is there now. */
  readonly places: readonly string[]
  free(): Promise<void>
}

interface Guarded {
  readonly root: string
  readonly writable: readonly string[]
  readonly names: readonly string[]
}

/**
 * Makes an empty folder, a stand-in, for each protected path that is missing, so that the sandbox has something to lay
 * its guard over. The last command that needs a stand-in removes it, whichever process that is. Each command leaves a
 * note in the state folder first, from which others remove the stand-ins of a process that was killed.
 */
export async function guardMissing({ root, writable, names }: Guarded): Promise<Guard> {
  const folders = [root, ...writable]
    .filter((folder) => fs.existsSync(folder))
    .map((folder) => fs.realpathSync(folder))
  const notes = notesOf(root)
  const file = path.join(notes, `${hostValue}.${randomUUID()}`)
  let wanted: readonly string[] = []
  let made: readonly StandIn[] = []
  let lost: readonly string[] = []
  await locked(notes, async () => {
    const held = await sweep(notes)
    const standIns = new Set(held.map(({ place }) => place))
    wanted = [...new Set(names.map((name) => wholeMissing(path.resolve(root, name), folders, standIns)))]
    const isMissing = (place: string) => !fs.lstatSync(place, { throwIfNoEntry: false })
    const shared = held.filter(({ place }) => wanted.includes(place))
    const missing = wanted.filter((place) => isMissing(place) && isInAny(folders, place))
    if (shared.length + missing.length === 0) return
    writeIntent(file, shared, missing)
    const own = missing.map((place) => ({ place, id: makeStandIn(place) }))
    writeMade(file, own)
    made = [...shared, ...own.filter((one): one is StandIn => one.id !== undefined)]
    // Whoever may not make it here cannot do so in the sandbox, either.
    lost = own.flatMap(({ place, id }) => (id === undefined && isMissing(place) ? [place] : []))
  })
  const beating = setInterval(() => touch(file), 30_000).unref()
  return {
    places: wanted.filter((place) => !lost.includes(place)),
    async free() {
      clearInterval(beating)
      if (made.length === 0) return
      await locked(notes, async () => {
        const held = new Set((await sweep(notes, file)).map(({ place }) => place))
        for (const one of made) if (!held.has(one.place)) removeStandIn(one)
        // Last: whoever is killed before that leaves a note of what is left.
        fs.rmSync(file, { force: true })
      })
    },
  }
}

/** Removes the stand-ins of processes that are no longer there, in all workspaces. */
export async function sweepStandIns(folders: readonly string[] = standInFolders(process.env)): Promise<void> {
  for (const folder of folders)
    for (const name of namesIn(folder)) {
      const notes = path.join(folder, name)
      await locked(notes, async () => void (await sweep(notes)))
    }
}

/** No person makes a sticky folder by that name: it tells a stand-in whose inode was not written down any more. */
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

/** Only while it is what was made, and empty. What somebody has put something into is theirs, an ordinary folder. */
function removeStandIn({ place, id }: StandIn): void {
  if (idOf(place) !== id) return
  removeFolder(place)
  if (idOf(place) === id) fs.chmodSync(place, Number.parseInt(id.split(":")[2]!, 16) & 0o777)
}

function idOf(place: string): string | undefined {
  const status = fs.lstatSync(place, { throwIfNoEntry: false, bigint: true })
  return status?.isDirectory() ? `${status.dev}:${status.ino}:${status.mode.toString(16)}` : undefined
}

/** What commands that are at work hold, besides that of one note; what those of dead processes held is removed. */
async function sweep(notes: string, without?: string): Promise<readonly StandIn[]> {
  const all = notesIn(notes).filter(({ file }) => file !== without)
  // Once each, however many share it: the next note holds all of them, and would double with every command.
  const live = [
    ...new Map(all.filter(isAtWork).flatMap(({ made }) => made.map((one) => [one.place, one]))).values(),
  ]
  const dead = all.filter((note) => !isAtWork(note))
  for (const host of new Set(dead.map(({ host }) => host))) await killLeft(host)
  const isHeld = ({ place }: { readonly place: string }) => live.some((one) => one.place === place)
  for (const note of dead) {
    for (const one of standInsOf(note)) if (!isHeld(one)) removeStandIn(one)
    fs.rmSync(note.file, { force: true })
  }
  return live
}

/** Also those that it made and could not write down any more. */
function standInsOf({ made, intended }: Note): readonly StandIn[] {
  const unnoted = intended.flatMap((place) => {
    const status = fs.lstatSync(place, { throwIfNoEntry: false })
    const id = status && (status.mode & sticky) !== 0 ? idOf(place) : undefined
    return id === undefined || made.some((one) => one.place === place) ? [] : [{ place, id }]
  })
  return [...made, ...unnoted]
}

/** The sandbox of a dead process may still be at work, and its guard would be lifted. */
async function killLeft(host: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const left = markedProcesses(hostName, host)
    if (left.length === 0) return
    for (const id of left) sendSignal(id, "SIGKILL")
    await pauseFor(5)
  }
}

/**
 * A folder that is missing is guarded as a whole: nothing else could be put into it without making it. One of which another
 * command has made a stand-in is missing, too.
 */
function wholeMissing(place: string, folders: readonly string[], standIns: ReadonlySet<string>): string {
  const above = path.dirname(place)
  const isMissing = standIns.has(above) || !fs.lstatSync(above, { throwIfNoEntry: false })
  if (isInAny(folders, above) && isMissing) return wholeMissing(above, folders, standIns)
  // Links on the way to it are followed: no stand-in is made behind one that leads out.
  return fs.existsSync(above) ? path.join(fs.realpathSync(above), path.basename(place)) : place
}

const isInAny = (folders: readonly string[], place: string): boolean =>
  folders.some((folder) => isInside(folder, place))

/** Private to the user, and never in the workspace: the first folder that can be written. */
function notesOf(root: string): string {
  const name = createHash("sha256").update(fs.realpathSync(root)).digest("hex").slice(0, 32)
  let problem: unknown
  for (const folder of standInFolders(process.env))
    try {
      fs.mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 })
      const { uid } = fs.lstatSync(folder)
      if (uid === process.getuid?.()) return path.join(folder, name)
      problem = new Error(`${folder} belongs to another user. Remove it.`)
    } catch (error) {
      problem = error
    }
  throw problem
}

const lockName = ".lock"

/**
 * One command at a time, of this process and of others: a link that leads nowhere is made with its owner in it, in one step. A lock of a dead process does
 * not count. It is held for a few file operations only, so an owner that keeps it for long is another process of that number.
 */
async function locked(notes: string, work: () => Promise<void>): Promise<void> {
  const lock = path.join(notes, lockName)
  for (let tries = 0; ; tries++) {
    try {
      // Whoever was last may have taken the folder away.
      fs.mkdirSync(notes, { recursive: true, mode: 0o700 })
      fs.symlinkSync(String(process.pid), lock)
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === "ENOENT" && tries < 100) continue
      if (code !== "EEXIST") throw error
      const owner = lockOwner(lock)
      if (owner === undefined) continue
      if (!isAlive(owner) || tries > longestWait / pause) fs.rmSync(lock, { force: true })
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
    // Never made, or somebody has put something into it: then it is theirs.
  }
}

const [pause, longestWait] = [5, 20_000]

function lockOwner(lock: string): number | undefined {
  try {
    return Number(fs.readlinkSync(lock))
  } catch {
    // It has just been given back.
    return undefined
  }
}

function touch(file: string): void {
  try {
    fs.utimesSync(file, new Date(), new Date())
  } catch {
    // Another process took its owner for dead; nothing of it can be held any more.
  }
}
