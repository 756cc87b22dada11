import fs from "node:fs"

/** A line of a file, without its line break. */
export interface FileLine {
  readonly text: string
  readonly start: number
  /** The offset behind the line break. */
  readonly end: number
}

const chunkSize = 256 * 1024
/** The longest line that is read. A longer one is damage. */
const longestLine = 64 * 1024 * 1024

/** Reads a file line by line, so that a large one is never in memory as a whole. Ends at an unfinished line. */
export function* readFileLines(descriptor: number): Generator<FileLine, void> {
  let rest: Buffer = Buffer.alloc(0)
  let start = 0
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkSize)
    const count = fs.readSync(descriptor, chunk, 0, chunkSize, position)
    if (count === 0 || rest.length > longestLine) return
    position += count
    rest = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)])
    let from = 0
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
      const end = start + at + 1 - from
      yield { text: rest.toString("utf8", from, at), start, end }
      start = end
      from = at + 1
    }
    rest = rest.subarray(from)
  }
}
