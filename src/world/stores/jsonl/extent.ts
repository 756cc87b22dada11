import fs from "node:fs"
import path from "node:path"
import { hasErrorCode } from "./disk.ts"
import { seal, unseal } from "./line.ts"

/**
 * The file `extent`: a size that the log certainly has, written beside the log after a sync. A shorter log was cut
 * later, because no crash can shorten it. The file itself is not synced: an old one claims less, never too much.
 */
export class Extent {
  readonly #descriptor: number
  readonly #epoch: number
  #size = 0

  constructor(folder: string, epoch: number) {
    const { O_RDWR, O_CREAT } = fs.constants
    this.#descriptor = fs.openSync(extentFile(folder), O_RDWR | O_CREAT, 0o600)
    this.#epoch = epoch
  }

  record(size: number): void {
    if (size <= this.#size) return
    this.#size = size
    const line = seal(JSON.stringify({ epoch: this.#epoch, size }))
    // The line always has the same length, so it overwrites the old one completely.
    fs.writeSync(this.#descriptor, line.padEnd(lineLength), 0, "latin1")
  }

  close(): void {
    fs.closeSync(this.#descriptor)
  }
}

/** The number of bytes that a log has lost; 0 if unknown. The extent must be read before the log. */
export function countMissingBytes(extent: KnownExtent | undefined, epoch: number, size: number): number {
  return extent?.epoch === epoch ? Math.max(0, extent.size - size) : 0
}

export const describeMissingBytes = (missing: number): string =>
  `the last ${missing} bytes of the log are missing`

interface KnownExtent {
  readonly epoch: number
  readonly size: number
}

export function readExtent(folder: string): KnownExtent | undefined {
  try {
    const bytes = fs.readFileSync(extentFile(folder))
    const unsealed = unseal(bytes.subarray(0, bytes.indexOf(10)))
    if (unsealed.type === "bad") return undefined
    const { epoch, size } = unsealed.value
    return Number.isSafeInteger(epoch) && Number.isSafeInteger(size)
      ? { epoch: Number(epoch), size: Number(size) }
      : undefined
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined
    throw error
  }
}

const extentFile = (folder: string): string => path.join(folder, "extent")

const lineLength = 100
