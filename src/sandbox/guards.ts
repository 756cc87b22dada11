import { createHash, randomUUID } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { hostValue } from "./host.ts"

/**
 * The sandbox puts an empty folder where a protected path is missing, and that is seen outside, too. Whoever ends last
 * takes it away, whichever process that is: removing it earlier would lift the guard from the others' commands. Each
 * command leaves a note of what was missing for it, a line each, outside of the workspace. What the notes of a dead
 * process tell of, its watchdog takes away, or else the next command.
 */
export function guardMissing(root: string, names: readonly string[]): () => void {
  const notes = notesOf(root)
  const note = path.join(notes, `${process.pid}.${hostValue}.${randomUUID()}`)
  let missing: readonly string[] = []
  locked(notes, () => {
    const held = new Set(sweep(notes))
    missing = names
      .map((name) => path.resolve(root, name))
      .filter((place) => held.has(place) || !fs.lstatSync(place, { throwIfNoEntry: false }))
    fs.writeFileSync(note, missing.map(lineOf).join("\n"), { flag: "wx", mode: 0o600 })
  })
  return () =>
    locked(notes, () => {
      fs.rmSync(note, { force: true })
      const held = new Set(sweep(notes))
      for (const place of missing) if (!held.has(place)) removeFolder(place)
    })
}

/** Where the notes are: a folder for each workspace. */
export const guardFolder = (): string => path.join(os.tmpdir(), `cadre-guards-${os.userInfo().uid}`)

/** Private to the user, and never in the workspace. */
function notesOf(root: string): string {
  const name = createHash("sha256").update(fs.realpathSync(root)).digest("hex").slice(0, 32)
  const folder = path.join(guardFolder(), name)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid = os.userInfo().uid } = fs.lstatSync(path.dirname(folder), { throwIfNoEntry: false }) ?? {}
  if (uid !== os.userInfo().uid)
    throw new Error(`${path.dirname(folder)} belongs to somebody else, so nothing can be guarded. Remove it.`)
  return folder
}

/** What commands that are at work hold; what those of dead processes held is taken away. */
function sweep(notes: string): readonly string[] {
  const [live, dead]: [string[], string[]] = [[], []]
  for (const name of fs.readdirSync(notes).filter((entry) => entry !== lockName)) {
    const note = path.join(notes, name)
    const places = readText(note).split("\n").map(placeOf)
    // The sandbox of a process that has just died may still be about to make them.
    if (isAlive(Number.parseInt(name, 10)) || ageOf(note) < longestBeginning) live.push(...places)
    else {
      dead.push(...places)
      fs.rmSync(note, { force: true })
    }
  }
  for (const place of dead) if (!live.includes(place)) removeFolder(place)
  return live
}

/** A path with a line break in it is no path to the watchdog, who leaves it to the next command. */
const lineOf = (place: string): string => (place.includes("\n") ? JSON.stringify(place) : place)

function placeOf(line: string): string {
  try {
    return line.startsWith('"') ? String(JSON.parse(line)) : line
  } catch {
    // Its process died while it wrote: then no command of it has begun.
    return ""
  }
}

const longestBeginning = 10_000

const ageOf = (file: string): number =>
  Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)

const lockName = "lock"

/**
 * One process at a time: a link that leads nowhere is made with its owner in it, in one step. A lock of a dead process does
 * not count. It is held for a few file operations only, so an owner that keeps it for long is another process of that number.
 */
function locked(notes: string, work: () => void): void {
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
      const owner = ownerOf(lock)
      if (owner === undefined) continue
      if (!isAlive(owner) || tries > longestWait / pause) fs.rmSync(lock, { force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
  }
  try {
    work()
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

function ownerOf(lock: string): number | undefined {
  try {
    return Number(fs.readlinkSync(lock))
  } catch {
    // It has just been given back.
    return undefined
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
