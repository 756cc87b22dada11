import { createHash } from "../../../ground/crypto.ts"
import { type OpenFile, readChunk } from "../../../ground/paths/open-file.ts"

export interface Lines {
  /** The requested lines, with at most `longestLine` bytes of each. */
  readonly lines: readonly { readonly bytes: Buffer; readonly cutBytes: number }[]
  readonly total: number
  readonly size: number
  readonly hash: string
}

export interface LineBounds {
  readonly first: number
  readonly count: number
  readonly longestLine: number
  readonly mostBytes: number
}

/**
 * Reads some lines of a file and the hash of all of it, in one pass and with little memory, however large the
 * file is.
 */
export async function readLines(file: OpenFile, bounds: LineBounds, signal: AbortSignal): Promise<Lines> {
  const hash = createHash("sha256")
  const collector = new Collector(bounds)
  const chunk = Buffer.allocUnsafe(256 * 1024)
  let size = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await readChunk(file.descriptor, chunk, size)
    if (count === 0) break
    const part = chunk.subarray(0, count)
    hash.update(part)
    collector.push(part)
    size += count
  }
  return { lines: collector.lines, total: collector.end(), size, hash: hash.digest("hex") }
}

class Collector {
  readonly lines: { bytes: Buffer; cutBytes: number }[] = []
  readonly #bounds: LineBounds
  #number = 1
  #pieces: Buffer[] = []
  #keptBytes = 0
  #cutBytes = 0
  #totalBytes = 0
  #isOpen = false

  constructor(bounds: LineBounds) {
    this.#bounds = bounds
  }

  push(part: Buffer): void {
    let from = 0
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, from)) {
      this.#add(part.subarray(from, at))
      this.#close()
      from = at + 1
    }
    if (from < part.length) this.#add(part.subarray(from))
  }

  /** The number of lines in all. */
  end(): number {
    if (this.#isOpen) this.#close()
    return this.#number - 1
  }

  #add(piece: Buffer): void {
    this.#isOpen = true
    if (!this.#isRequested()) return
    const room = Math.max(0, this.#bounds.longestLine - this.#keptBytes)
    // A copy, because the chunk is reused.
    if (room > 0) this.#pieces.push(Buffer.from(piece.subarray(0, room)))
    this.#keptBytes += Math.min(room, piece.length)
    this.#cutBytes += Math.max(0, piece.length - room)
  }

  #close(): void {
    if (this.#isRequested()) {
      const bytes = Buffer.concat(this.#pieces)
      this.lines.push({ bytes, cutBytes: this.#cutBytes })
      this.#totalBytes += bytes.length
    }
    this.#pieces = []
    this.#keptBytes = 0
    this.#cutBytes = 0
    this.#isOpen = false
    this.#number++
  }

  #isRequested(): boolean {
    const { first, count, mostBytes } = this.#bounds
    return this.#number >= first && this.lines.length < count && this.#totalBytes < mostBytes
  }
}
