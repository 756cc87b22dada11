import { createHash } from "../../../ground/crypto.ts"
import { type OpenFile, readChunk } from "../../../ground/paths/open-file.ts"

export interface Lines {
  /** From the first that was asked for; each at most `longestLine` bytes of it. */
  readonly lines: readonly { readonly bytes: Buffer; readonly left: number }[]
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

/** Some lines of a file and the hash of all of it, in one pass and with little memory, however large it is. */
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
  readonly lines: { bytes: Buffer; left: number }[] = []
  readonly #bounds: LineBounds
  #number = 1
  #pieces: Buffer[] = []
  #kept = 0
  #left = 0
  #taken = 0
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

  /** How many lines there are in all. */
  end(): number {
    if (this.#isOpen) this.#close()
    return this.#number - 1
  }

  #add(piece: Buffer): void {
    this.#isOpen = true
    if (!this.#isWanted()) return
    const room = Math.max(0, this.#bounds.longestLine - this.#kept)
    // Copied, because the chunk is used again.
    if (room > 0) this.#pieces.push(Buffer.from(piece.subarray(0, room)))
    this.#kept += Math.min(room, piece.length)
    this.#left += Math.max(0, piece.length - room)
  }

  #close(): void {
    if (this.#isWanted()) {
      const bytes = Buffer.concat(this.#pieces)
      this.lines.push({ bytes, left: this.#left })
      this.#taken += bytes.length
    }
    this.#pieces = []
    this.#kept = 0
    this.#left = 0
    this.#isOpen = false
    this.#number++
  }

  #isWanted(): boolean {
    const { first, count, mostBytes } = this.#bounds
    return this.#number >= first && this.lines.length < count && this.#taken < mostBytes
  }
}
