import fs from "node:fs"
import path from "node:path"
import { makeRandomUuid } from "../../ground/crypto.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { identifyEntry, type PinnedEntry } from "./pinned-entry.ts"
import { hashValue } from "./tool-hash.ts"

/** The tools and instructions of a server, as the user accepted them. */
export interface ServerPin {
  readonly version: 1
  /** The entry that the pin is for: the whole command or address. */
  readonly entry: JsonMap
  readonly at: string
  readonly instructions: string
  readonly tools: { readonly [name: string]: PinnedServerTool }
}

/** One tool of a pin. The texts are kept to show a difference later. */
export interface PinnedServerTool {
  readonly hash: string
  readonly description: string
  readonly input: JsonMap
}

/** Keeps the accepted tools of servers, and the changed ones that wait for the user. */
export interface PinStore {
  readonly read: (entry: PinnedEntry) => ServerPin | undefined
  readonly write: (entry: PinnedEntry, pin: ServerPin) => void
  /** Keeps a list that differs from the pin, so that the user can accept exactly this list. */
  readonly propose: (entry: PinnedEntry, pin: ServerPin) => void
  readonly proposed: (entry: PinnedEntry) => ServerPin | undefined
}

/** Keeps pins in a folder, which is below the user's state folder and never in a project. */
export function createFilePins(folder: string): PinStore {
  const fileOf = (entry: PinnedEntry, kind: "pin" | "proposed") =>
    path.join(folder, `${hashValue(identifyEntry(entry)).slice(0, 32)}.${kind}.json`)
  const write = (file: string, pin: ServerPin) => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${makeRandomUuid()}.tmp`
    try {
      fs.writeFileSync(temporary, `${JSON.stringify(pin)}\n`, { flag: "wx", mode: 0o600, flush: true })
      fs.renameSync(temporary, file)
    } catch (error) {
      fs.rmSync(temporary, { force: true })
      throw error
    }
  }
  return {
    read: (entry) => readPin(fileOf(entry, "pin"), entry),
    write(entry, pin) {
      write(fileOf(entry, "pin"), pin)
      fs.rmSync(fileOf(entry, "proposed"), { force: true })
    },
    propose: (entry, pin) => write(fileOf(entry, "proposed"), pin),
    proposed: (entry) => readPin(fileOf(entry, "proposed"), entry),
  }
}

/** Keeps pins as long as the process lives. */
export function createMemoryPins(): PinStore {
  const pins = new Map<string, ServerPin>()
  const proposals = new Map<string, ServerPin>()
  const keyOf = (entry: PinnedEntry) => hashValue(identifyEntry(entry))
  return {
    read: (entry) => pins.get(keyOf(entry)),
    write(entry, pin) {
      pins.set(keyOf(entry), pin)
      proposals.delete(keyOf(entry))
    },
    propose: (entry, pin) => void proposals.set(keyOf(entry), pin),
    proposed: (entry) => proposals.get(keyOf(entry)),
  }
}

/**
 * Throws for a file that is not a pin. A damaged pin must not count as a missing one, because a missing pin accepts
 * every list.
 */
function readPin(file: string, entry: PinnedEntry): ServerPin | undefined {
  let text: string
  try {
    text = fs.readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  const pin = parse(text)
  if (!isPin(pin) || hashValue(pin.entry) !== hashValue(identifyEntry(entry)))
    throw new Error(`the record of its accepted tools is damaged. Remove ${file} to accept its tools anew`)
  return pin
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const isPin = (value: unknown): value is ServerPin => {
  if (!isMap(value as Json)) return false
  const { version, entry, instructions, tools } = value as JsonMap
  return (
    version === 1 &&
    isMap(entry) &&
    typeof instructions === "string" &&
    isMap(tools) &&
    Object.values(tools).every(
      (tool) =>
        isMap(tool) &&
        typeof tool.hash === "string" &&
        typeof tool.description === "string" &&
        isMap(tool.input),
    )
  )
}
