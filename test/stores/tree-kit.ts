import fs from "node:fs"
import { Blobs } from "../../src/world/stores/jsonl/blobs.ts"
import { type Disk, realDisk } from "../../src/world/stores/jsonl/disk.ts"
import { type Header, logFile, writeHeaderLine } from "../../src/world/stores/jsonl/folder.ts"
import { seal } from "../../src/world/stores/jsonl/line.ts"
import type { TreePlace } from "../../src/world/stores/jsonl/place.ts"
import { event } from "./heads-kit.ts"

/** A tree's place, and the damages that it was told of. */
export function placeOf(
  folder: string,
  root: string,
  disk: Disk = realDisk,
): TreePlace & { readonly damages: readonly string[] } {
  const damages: string[] = []
  const onDamage = (message: string) => void damages.push(message)
  return { disk, root, folder, blobs: new Blobs(disk, folder), onDamage, damages }
}

export const lineOf = (run: string, seq: number, more: object = {}, place?: "more"): string =>
  seal(JSON.stringify(event(run, seq, more)), place)

/** Writes a log with this number, with its header first. */
export function putLog(
  folder: string,
  epoch: number,
  lines: readonly (string | Buffer)[],
  header: Partial<Header> = {},
): void {
  const first = writeHeaderLine({ cadre: 1, epoch, owner: null, ...header })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    logFile(folder, epoch),
    Buffer.concat([first, ...lines].map((line) => Buffer.from(line as string))),
  )
}

/** The line with one wrong bit in the last place of this text. */
export function wrongBit(line: string, text: string, bit = 1): Buffer {
  const bytes = Buffer.from(line)
  bytes[bytes.lastIndexOf(text)]! ^= bit
  return bytes
}

/** Damaged beyond repair, but it still tells its run and number. */
export const torn = (line: string): string => line.replace('"type":"', '"type":"###')

/** The files below a folder that this process holds open. */
export function openFiles(folder: string): readonly string[] {
  const own = `/proc/${process.pid}/fd`
  return fs.readdirSync(own).flatMap((descriptor) => {
    try {
      const file = fs.readlinkSync(`${own}/${descriptor}`)
      return file.startsWith(fs.realpathSync(folder)) ? [file.slice(folder.length + 1)] : []
    } catch {
      return []
    }
  })
}

export const isLinux = process.platform === "linux"
