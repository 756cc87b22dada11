import fs from "node:fs"
import path from "node:path"
import { getRootRun, isRunId } from "../../../run/log/id.ts"
import type { Letter } from "../../../run/log/store.ts"
import { Bell } from "../bell.ts"
import { identifyLetter, Mailbox } from "../mailbox.ts"
import { writeAll } from "./disk.ts"
import { seal, unseal } from "./line.ts"
import { pack, readBlobReferences, unpack } from "./pack.ts"
import type { TreePlace } from "./place.ts"
import { type ScannedLine, scanLines } from "./scan.ts"

/**
 * The file `inbox.jsonl`: letters that any process appends and the owner reads, and the owner's acknowledgements.
 * Acknowledgements are written in groups, so an acknowledged letter may come again after a crash. The receiver must
 * know from its own log which keys it has recorded.
 */
export class Inbox {
  readonly bell = new Bell()
  readonly #place: TreePlace
  readonly #descriptor: number
  readonly #mailbox = new Mailbox()
  #acknowledged: string[] = []
  #offset = 0
  #isOpen = true

  constructor(place: TreePlace) {
    this.#place = place
    this.#descriptor = fs.openSync(locateInbox(place.folder), "a+", 0o600)
    this.collect()
    this.#mailbox.reopen()
  }

  /** Reads the letters that have arrived since the last look. */
  collect(): void {
    if (fs.fstatSync(this.#descriptor).size === this.#offset) return
    for (const lines of scanLines(this.#place.disk, this.#descriptor, this.#offset))
      for (const line of lines) {
        this.#offset = line.offset + line.length
        this.#read(line)
      }
    if (this.#mailbox.hasWaiting) this.bell.ring()
  }

  get hasWaiting(): boolean {
    return this.#mailbox.hasWaiting
  }

  take(): (Letter & { ack(): void }) | undefined {
    const letter = this.#mailbox.take()
    if (letter === undefined) return undefined
    return { ...letter, ack: () => this.#acknowledge(identifyLetter(letter)) }
  }

  /** `lost`: another process owns the tree now, and decides itself which letters count as acknowledged. */
  close(reason: "released" | "lost"): void {
    if (reason === "released") this.#note()
    this.#isOpen = false
    fs.closeSync(this.#descriptor)
    this.bell.ring()
  }

  #acknowledge(id: string): void {
    this.#mailbox.acknowledge(id)
    this.#acknowledged.push(id)
    if (this.#isOpen && this.#acknowledged.length >= notesAtOnce) this.#note()
  }

  #note(): void {
    if (this.#acknowledged.length === 0) return
    const line = letterLine(JSON.stringify({ acknowledged: this.#acknowledged }))
    this.#acknowledged = []
    try {
      writeAll(this.#place.disk, this.#descriptor, line)
    } catch {
      // Acknowledgements only save the next owner some work, so a failure must not fail the run.
    }
  }

  #read(line: ScannedLine): void {
    if (line.length <= 1) return
    const letter = parse(line, this.#place)
    if (letter === undefined)
      this.#place.onDamage(`A letter at byte ${line.offset} of the inbox could not be read.`)
    else if ("again" in letter) this.#mailbox.resend(isFromOutside)
    else if ("acknowledged" in letter)
      for (const id of letter.acknowledged) this.#mailbox.acknowledgeEarlier(id)
    else this.#mailbox.add(letter)
  }
}

/** Leaves a letter for the owner of the tree. Once this resolves, a crash of this process does not lose the letter. */
export async function postLetter(place: TreePlace, letter: Letter): Promise<void> {
  const { text, contents } = pack(letter)
  for (const content of contents) await place.blobs.write(content)
  const descriptor = fs.openSync(locateInbox(place.folder), "a", 0o600)
  try {
    writeAll(place.disk, descriptor, letterLine(text))
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * Delivers the letters of other processes again after a log has lost events, some of which may have recorded letters.
 * The receiver knows from its log which letters are recorded.
 */
export function sendAgain(place: TreePlace): void {
  const file = locateInbox(place.folder)
  if (!fs.existsSync(file)) return
  const descriptor = fs.openSync(file, "a", 0o600)
  try {
    writeAll(place.disk, descriptor, letterLine(JSON.stringify({ again: true })))
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * True for letters from outside the tree. Letters between its own runs need no resending: a repair learns from the runs
 * themselves.
 */
const isFromOutside = ({ body }: Letter): boolean =>
  /^(?:message|cancel|approval)$/.test(String((body as { readonly type?: unknown }).type))

export const locateInbox = (folder: string): string => path.join(folder, "inbox.jsonl")

const notesAtOnce = 64

/** The line begins with a newline, too, so that another sender's unfinished line does not swallow it. */
const letterLine = (text: string): Buffer => Buffer.from(`\n${seal(text)}`)

type Note = { readonly acknowledged: readonly string[] } | { readonly again: true }

function parse(line: ScannedLine, place: TreePlace): Letter | Note | undefined {
  const unsealed = line.bytes === undefined ? undefined : unseal(line.bytes)
  if (unsealed?.type !== "good") return undefined
  const { value } = unsealed
  if (Object.hasOwn(value, "run")) return isLetter(value, place.root) ? value : undefined
  if (value.again === true) return { again: true }
  if (Array.isArray(value.acknowledged)) return { acknowledged: value.acknowledged.map(String) }
  const references = readBlobReferences(value.packed)
  if (references === undefined) return undefined
  try {
    const letter = unpack(value.value as Record<string, unknown>, references, place.blobs)
    return isLetter(letter, place.root) ? letter : undefined
  } catch {
    return undefined
  }
}

function isLetter(value: unknown, root: string): value is Letter {
  if (typeof value !== "object" || value === null) return false
  const { run, key, at, body } = value as { [name in keyof Letter]?: unknown }
  if (typeof run !== "string" || !isRunId(run) || getRootRun(run) !== root) return false
  return typeof key === "string" && typeof at === "number" && typeof body === "object" && body !== null
}
