import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"
import { type Disk, hasCode } from "./disk.ts"
import { seal, unseal } from "./line.ts"
import { mendLine, mendTorn } from "./mend.ts"
import { namesIn } from "./names-in.ts"
import { isOwner, type Owner } from "./owner.ts"
import { scanLines } from "./scan.ts"

/** The version of the file format, not of the events in it. */
export const formatVersion = 1

/** The first line of a log file. `owner` is null for a tree that nobody has claimed yet. */
export interface Header {
  readonly cadre: number
  readonly epoch: number
  readonly owner: Owner | null
  /** The tree was being removed when this was written. */
  readonly removed?: true
}

export const logFile = (folder: string, epoch: number): string => path.join(folder, `log.${epoch}.jsonl`)

/** Where a repair keeps the log as it was. */
export const damagedFile = (folder: string, epoch: number): string =>
  path.join(folder, `damaged.${epoch}.jsonl`)

/** The newest log of a tree, or 0. Numbers are never used twice: superseded files are emptied, not unlinked. */
export function newestEpoch(folder: string): number {
  let newest = 0
  for (const name of namesIn(folder))
    newest = Math.max(newest, Number(/^log\.(\d{1,9})\.jsonl$/.exec(name)?.[1] ?? 0))
  return newest
}

/** Undefined when it went away after it was seen. */
export function openLog(folder: string, epoch: number): number | undefined {
  try {
    return fs.openSync(logFile(folder, epoch), "r")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Undefined: there is no log. A takeover while we look may empty the file under us, so then we look at the next one. */
export function lookAtNewest<Result>(
  folder: string,
  look: (descriptor: number) => Result,
): Result | undefined {
  for (;;) {
    const epoch = newestEpoch(folder)
    const descriptor = epoch === 0 ? undefined : openLog(folder, epoch)
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

export const headerLine = (header: Header): string => seal(JSON.stringify(header))

export type ReadHeader =
  | { readonly type: "header"; readonly header: Header; readonly length: number }
  /** `mended`: as it was before one bit of it changed. */
  | { readonly type: "damaged"; readonly length: number; readonly mended?: Header }

/** Throws LOG_VERSION for a log of a newer format: nothing else in it can be relied on. */
export function readHeader(disk: Disk, descriptor: number, root: string): ReadHeader {
  const line = firstLine(disk, descriptor, 0)
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

/** The bit may have been in the newline after it, or have made one inside of it. */
function mendHeader(disk: Disk, descriptor: number, line: Buffer): ReadHeader | undefined {
  const after = firstLine(disk, descriptor, line.length + 1)
  const whole = mendLine(line)?.[0] ?? (after && mendTorn(line, after))
  const unsealed = whole && unseal(whole)
  const mended = unsealed?.type === "good" ? headerOf(unsealed.value) : undefined
  return mended && { type: "damaged", length: whole!.length + 1, mended }
}

/** Whether the header is gone altogether: what comes first then is what came after it. */
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

/** Without its newline; undefined when there is no whole line at the offset. */
export function firstLine(disk: Disk, descriptor: number, offset: number): Buffer | undefined {
  for (const [line] of scanLines(disk, descriptor, offset, 4096)) if (line !== undefined) return line.bytes
  return undefined
}

export const releaseLine = (nonce: string): string => seal(JSON.stringify({ released: nonce }))

/** Whether the owner that the header names has given this log up: its mark is then the last line. */
export function isReleased(disk: Disk, descriptor: number, owner: Owner): boolean {
  const mark = Buffer.from(releaseLine(owner.nonce))
  const size = fs.fstatSync(descriptor).size
  if (size < mark.length) return false
  const tail = Buffer.alloc(mark.length)
  return disk.read(descriptor, tail, size - mark.length) === mark.length && tail.equals(mark)
}

/** Read without its checksum: a newer format may seal its lines in another way. */
function versionIn(line: Buffer): number {
  try {
    return Number(JSON.parse(line.toString()).cadre)
  } catch {
    return 0
  }
}
