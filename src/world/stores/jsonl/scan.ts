import type { Disk } from "./disk.ts"

export interface ScannedLine {
  /**
   * The bytes without the newline. Undefined: the line is longer than `maximumLine`. Valid until the next step of the
   * scan.
   */
  readonly bytes: Buffer | undefined
  readonly offset: number
  /** The length with the newline. */
  readonly length: number
}

/** No line this long is ever written, and reading one must not fill the memory. */
export const maximumLine = 1 << 20

/**
 * Yields the whole lines of a file from an offset on, in chunks and with bounded memory. Bytes after the last newline
 * are skipped.
 */
export function* scanLines(
  disk: Disk,
  descriptor: number,
  from: number,
  chunk = 1 << 16,
): Generator<readonly ScannedLine[], void> {
  let buffer = Buffer.allocUnsafe(chunk)
  /** Bytes of an unfinished line at the start of the buffer. */
  let pendingBytes = 0
  let position = from
  /** Bytes of an overlong line that were dropped. */
  let droppedBytes = 0
  for (;;) {
    if (pendingBytes === buffer.length) {
      if (pendingBytes < maximumLine) buffer = Buffer.concat([buffer], pendingBytes * 2)
      else {
        droppedBytes += pendingBytes
        pendingBytes = 0
      }
    }
    const count = disk.read(descriptor, buffer.subarray(pendingBytes), position)
    if (count === 0) return
    const end = pendingBytes + count
    const filled = buffer.subarray(0, end)
    position += count
    const lines: ScannedLine[] = []
    let start = 0
    for (let newline = filled.indexOf(10, pendingBytes); newline >= 0; newline = filled.indexOf(10, start)) {
      const length = newline + 1 - start + droppedBytes
      const bytes = droppedBytes > 0 ? undefined : filled.subarray(start, newline)
      lines.push({ bytes, offset: position - end + start - droppedBytes, length })
      start = newline + 1
      droppedBytes = 0
    }
    yield lines
    buffer.copy(buffer, 0, start, end)
    pendingBytes = end - start
  }
}
