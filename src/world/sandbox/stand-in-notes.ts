import fs from "node:fs"
import path from "node:path"
import { findOwnerState, type Process, readThisProcess } from "../stores/jsonl/owner.ts"
import type { StandIn } from "./stand-in.ts"

/** A command's note about the stand-ins that it needs. */
export interface StandInNote {
  readonly file: string
  /** The mark of the process, which is in the environment of everything that it started. */
  readonly host: string
  readonly owner: Process | undefined
  readonly intended: readonly string[]
  readonly made: readonly StandIn[]
}

/**
 * Writes a note with one fact in each line, so that the watchdog, a shell script, can read it. The lines are
 * the process, `intend PATH`, `made ID PATH`, and `complete` at the end. The note is on the disk before the
 * first stand-in is made.
 */
export function writeIntent(file: string, shared: readonly StandIn[], missing: readonly string[]): void {
  const lines = [
    JSON.stringify(readThisProcess()),
    ...shared.map(madeLine),
    ...missing.map((place) => `intend ${inLine(place)}`),
  ]
  const note = fs.openSync(file, "wx", 0o600)
  try {
    fs.writeSync(note, `${lines.join("\n")}\n`)
    fs.fsyncSync(note)
  } finally {
    fs.closeSync(note)
  }
}

/** Records the stand-ins that could be made. */
export function writeMade(
  file: string,
  made: readonly { readonly place: string; readonly id: string | undefined }[],
): void {
  const lines = made.flatMap(({ place, id }) => (id === undefined ? [] : [madeLine({ place, id })]))
  fs.appendFileSync(file, `${[...lines, "complete"].join("\n")}\n`)
}

export const readStandInNotes = (folder: string): readonly StandInNote[] =>
  fs
    .readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => readNote(path.join(folder, name)) ?? [])

/**
 * A process in another container cannot be seen. For those, the age of the note tells whether they are alive.
 */
export function isOwnerAtWork({ file, owner }: StandInNote): boolean {
  // The process was killed while it wrote its note, before it made anything.
  if (owner === undefined) return false
  const me = readThisProcess()
  if (owner.machine === me.machine && owner.boot !== me.boot) return false
  const state = findOwnerState(owner)
  if (state !== "unknown") return state === "same"
  const changed = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - changed < longestSilence
}

const longestSilence = 120_000

function readNote(file: string): StandInNote | undefined {
  let text: string
  try {
    text = fs.readFileSync(file, "utf8")
  } catch {
    // The process has just removed its note.
    return undefined
  }
  const [first = "", ...lines] = text.split("\n")
  const parts = lines.map((line) => /^(?:(intend)|made ([0-9]+:[0-9]+:[0-9a-f]+)) (.+)$/.exec(line))
  return {
    file,
    host: path.basename(file).split(".")[0]!,
    owner: readOwner(first),
    intended: parts.flatMap((part) => (part?.[1] ? (fromLine(part[3]!) ?? []) : [])),
    made: parts.flatMap((part) => {
      const place = part?.[2] ? fromLine(part[3]!) : undefined
      return place === undefined ? [] : [{ place, id: part![2]! }]
    }),
  }
}

function readOwner(line: string): Process | undefined {
  const value = parseJson(line) as Partial<Process> | undefined
  return typeof value?.pid === "number" && value.pid > 0 ? (value as Process) : undefined
}

const madeLine = ({ place, id }: StandIn): string => `made ${id} ${inLine(place)}`

/** The watchdog does not understand a quoted path, and leaves the note to the next command. */
const inLine = (place: string): string => (/[\n"]/.test(place) ? JSON.stringify(place) : place)

function fromLine(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  const value = parseJson(text)
  return typeof value === "string" ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
