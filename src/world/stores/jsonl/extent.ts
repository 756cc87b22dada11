import fs from "node:fs"
import path from "node:path"
import { hasCode } from "./disk.ts"
import { seal, unseal } from "./line.ts"

/**
 * `extent`: how far a log certainly reaches, written beside it whenever the disk has it. A log that is shorter was cut
 * afterwards: no crash does that. It is not synced itself; an older one claims less, and never too much.
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

  note(size: number): void {
    if (size <= this.#size) return
    this.#size = size
    const line = seal(JSON.stringify({ epoch: this.#epoch, size }))
    // As long as any before it, so that nothing is left of that.
    fs.writeSync(this.#descriptor, line.padEnd(longest), 0, "latin1")
  }

  close(): void {
    fs.closeSync(this.#descriptor)
  }
}

/** How many bytes of a log are gone that it had; 0 where nothing says so. Read before the log is looked at. */
export function missingIn(extent: Noted | undefined, epoch: number, size: number): number {
  return extent?.epoch === epoch ? Math.max(0, extent.size - size) : 0
}

export const cutShort = (missing: number): string => `the last ${missing} bytes of the log are gone`

interface Noted {
  readonly epoch: number
  readonly size: number
}

export function readExtent(folder: string): Noted | undefined {
  try {
    const bytes = fs.readFileSync(extentFile(folder))
    const unsealed = unseal(bytes.subarray(0, Math.max(0, bytes.indexOf(10))))
    if (unsealed.type === "bad") return undefined
    const { epoch, size } = unsealed.value
    return Number.isSafeInteger(epoch) && Number.isSafeInteger(size)
      ? { epoch: Number(epoch), size: Number(size) }
      : undefined
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

const extentFile = (folder: string): string => path.join(folder, "extent")

const longest = 100
