import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"
import { type Disk, hasErrorCode } from "./disk.ts"
import { seal, unseal } from "./line.ts"
import { listNames } from "./list-names.ts"
import { mendLine, mendTorn } from "./mend.ts"
import { type ClaimOwner, isOwner } from "./owner.ts"
import { scanLines } from "./scan.ts"

/** The version of the file format, not of the events in it. */
export const formatVersion = 1

/** The first line of a log file. `owner` is null for a tree that was never claimed. */
export interface Header {
  readonly cadre: number
  readonly epoch: number
  readonly owner: ClaimOwner | null
  /** The tree is being removed. */
  readonly removed?: true
}

export const logFile = (folder: string, epoch: number): string => path.join(folder, `log.${epoch}.jsonl`)

/** The file in which a repair keeps the damaged log. */
export const locateDamagedFile = (folder: string, epoch: number): string =>
  path.join(folder, `damaged.${epoch}.jsonl`)

/** The number of a tree's newest log, or 0. Numbers are never reused: superseded files are emptied, not deleted. */
export function findNewestEpoch(folder: string): number {
  let newest = 0
  for (const name of listNames(folder))
    newest = Math.max(newest, Number(/^log\.(\d{1,9})\.jsonl$/.exec(name)?.[1] ?? 0))
  return newest
}

/** Opens a log. Undefined: there is none of this number, or it has disappeared since it was listed. */
export function openLog(folder: string, epoch: number): number | undefined {
  if (epoch === 0) return undefined
  try {
    return fs.openSync(logFile(folder, epoch), "r")
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined
    throw error
  }
}

/**
 * Reads the newest log. Undefined: there is none. A takeover meanwhile may empty the file, and then the next one is
 * read.
 */
export function readNewest<Result>(folder: string, look: (descriptor: number) => Result): Result | undefined {
  for (;;) {
    const epoch = findNewestEpoch(folder)
    const descriptor = openLog(folder, epoch)
    if (descriptor === undefined) return undefined
    try {
      const result = look(descriptor)
      if (!isSuperseded(folder, epoch)) return result
    } finally {
      fs.closeSync(descriptor)
    }
  }
}

export const isSuperseded = (folder: string, epoch: number): boolean =>
  fs.existsSync(logFile(folder, epoch + 1))

export const writeHeaderLine = (header: Header): string => seal(JSON.stringify(header))

export type HeaderResult =
  | { readonly type: "header"; readonly header: Header; readonly length: number }
  /** `mended`: the header after the repair of one bit. */
  | { readonly type: "damaged"; readonly length: number; readonly mended?: Header }

/** Throws LOG_VERSION for a log of a newer format, because nothing in it can be relied on. */
export function readHeader(disk: Disk, descriptor: number, root: string): HeaderResult {
  const line = readFirstLine(disk, descriptor, 0)
  if (line === undefined) return { type: "damaged", length: 0 }
  const unsealed = unseal(line)
  const mended = unsealed.type === "bad" ? mendHeader(disk, descriptor, line) : undefined
  if (mended) return mended
  const version = versionIn(line)
  if (version > formatVersion)
    throw new CadreError(
      "LOG_VERSION",
      `The log of run ${root} has format version ${version}; this cadre reads up to ${formatVersion}. Use the newer release that wrote it.`,
    )
  const length = line.length + 1
  const header = unsealed.type === "good" ? headerOf(unsealed.value) : undefined
  if (header) return { type: "header", header, length }
  return { type: "damaged", length: isEventLine(line) ? 0 : length }
}

/**
 * Repairs one wrong bit of the header. That bit may have replaced the newline after it, or made a newline inside it.
 */
function mendHeader(disk: Disk, descriptor: number, line: Buffer): HeaderResult | undefined {
  const after = readFirstLine(disk, descriptor, line.length + 1)
  const whole = mendLine(line)?.[0] ?? (after && mendTorn(line, after))
  const unsealed = whole && unseal(whole)
  const mended = unsealed?.type === "good" ? headerOf(unsealed.value) : undefined
  return mended && { type: "damaged", length: whole!.length + 1, mended }
}

/** True if the first line is an event, so the header is missing altogether. */
function isEventLine(line: Buffer): boolean {
  for (const candidate of [line, ...(mendLine(line) ?? [])]) {
    const unsealed = unseal(candidate)
    if (unsealed.type === "good") return !("cadre" in unsealed.value)
  }
  return false
}

function headerOf(value: Record<string, unknown>): Header | undefined {
  const header = value as unknown as Header
  if (header.cadre !== formatVersion) return undefined
  return header.owner === null || isOwner(header.owner) ? header : undefined
}

/** Reads the line at an offset, without its newline. Undefined: there is no whole line. */
export function readFirstLine(disk: Disk, descriptor: number, offset: number): Buffer | undefined {
  for (const [line] of scanLines(disk, descriptor, offset, 4096)) if (line !== undefined) return line.bytes
  return undefined
}

export const writeReleaseLine = (nonce: string): string => seal(JSON.stringify({ released: nonce }))

/** True if the owner in the header has released this log: its mark is then the last line. */
export function isReleased(disk: Disk, descriptor: number, owner: ClaimOwner): boolean {
  const mark = Buffer.from(writeReleaseLine(owner.nonce))
  const size = fs.fstatSync(descriptor).size
  if (size < mark.length) return false
  const tail = Buffer.alloc(mark.length)
  return disk.read(descriptor, tail, size - mark.length) === mark.length && tail.equals(mark)
}

/** Reads the version without checking the checksum, because a newer format may seal lines differently. */
function versionIn(line: Buffer): number {
  try {
    return Number(JSON.parse(line.toString()).cadre)
  } catch {
    return Number.NaN
  }
}
