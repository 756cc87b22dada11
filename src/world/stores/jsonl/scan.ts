import type { Disk } from "./disk.ts"

export interface Line {
  /** Without the newline; undefined when longer than `maximumLine`. Valid until the next step of the scan. */
  readonly bytes: Buffer | undefined
  readonly offset: number
  /** With the newline. */
  readonly length: number
}

/** Nothing this long is ever written, and reading it must not fill the memory. */
export const maximumLine = 1 << 20

/** The whole lines of a file from an offset on, a chunk at a time, in bounded memory. Bytes after the last newline are left. */
export function* scanLines(
  disk: Disk,
  descriptor: number,
  from: number,
  chunk = 1 << 16,
): Generator<readonly Line[], void> {
  let buffer = Buffer.allocUnsafe(chunk)
  /** Bytes of an unfinished line at the start of the buffer. */
  let held = 0
  let position = from
  /** Bytes of an overlong line that were dropped. */
  let dropped = 0
  for (;;) {
    if (held === buffer.length) {
      if (held < maximumLine) buffer = Buffer.concat([buffer], held * 2)
      else {
        dropped += held
        held = 0
      }
    }
    const count = disk.read(descriptor, buffer.subarray(held), position)
    if (count === 0) return
    const end = held + count
    const filled = buffer.subarray(0, end)
    position += count
    const lines: Line[] = []
    let start = 0
    for (let newline = filled.indexOf(10, held); newline >= 0; newline = filled.indexOf(10, start)) {
      const length = newline + 1 - start + dropped
      const bytes = dropped > 0 ? undefined : filled.subarray(start, newline)
      lines.push({ bytes, offset: position - end + start - dropped, length })
      start = newline + 1
      dropped = 0
    }
    yield lines
    buffer.copy(buffer, 0, start, end)
    held = end - start
  }
}
