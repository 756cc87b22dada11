/** One line of a server's output: a message, noise (not JSON), or a line that was too long to keep. */
export type ServerLineText =
  | { readonly type: "message"; readonly value: unknown }
  | { readonly type: "noise"; readonly text: string }
  | { readonly type: "too-long"; readonly bytes: number; readonly head: string; readonly tail: string }
  /** A line far over the limit that has not ended yet. */
  | { readonly type: "endless"; readonly bytes: number }

/**
 * Splits chunks into lines, and keeps at most `most` bytes of one. Of a longer line only the beginning and the end are
 * kept, which identify its call.
 */
export class LineReader {
  readonly #most: number
  #pieces: Buffer[] = []
  #bytes = 0
  #tail: Buffer = noBytes

  constructor(most: number) {
    this.#most = most
  }

  read(chunk: Buffer): readonly ServerLineText[] {
    const lines: ServerLineText[] = []
    let start = 0
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      const line = this.#readLine(chunk, start, end)
      if (line) lines.push(line)
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    if (this.#bytes > this.#most * maxOverrun) lines.push({ type: "endless", bytes: this.#bytes })
    return lines
  }

  #readLine(chunk: Buffer, start: number, end: number): ServerLineText | undefined {
    // Most lines lie whole in one chunk.
    if (this.#bytes === 0 && end - start <= this.#most) return readText(chunk.toString("utf8", start, end))
    this.#add(chunk.subarray(start, end))
    return this.#finishLine()
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#bytes += piece.length
    if (this.#bytes <= this.#most) {
      this.#pieces.push(piece)
      return
    }
    // The line is too long: keep only its beginning and its end.
    if (this.#tail.length === 0) {
      const all = Buffer.concat([...this.#pieces, piece])
      this.#pieces = [Buffer.from(all.subarray(0, endLength))]
      this.#tail = Buffer.from(all.subarray(-endLength))
      return
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, piece.subarray(-endLength)]).subarray(-endLength))
  }

  #finishLine(): ServerLineText | undefined {
    const [bytes, tail] = [this.#bytes, this.#tail]
    const text = Buffer.concat(this.#pieces).toString()
    this.#pieces = []
    this.#bytes = 0
    this.#tail = noBytes
    if (bytes > this.#most) return { type: "too-long", bytes, head: text, tail: tail.toString() }
    return readText(text)
  }
}

function readText(text: string): ServerLineText | undefined {
  const line = text.trim()
  if (line === "") return undefined
  try {
    return { type: "message", value: JSON.parse(line) }
  } catch {
    return { type: "noise", text: line.slice(0, endLength) }
  }
}

const noBytes = Buffer.alloc(0)
const newLine = 10
const endLength = 256
const maxOverrun = 8

/**
 * Finds the id of the request that a message answers, from the message's beginning and end. The id stands first or last
 * there, where no nested value can stand. Undefined: the id is not there.
 */
export function findAnsweredId({
  head,
  tail,
}: {
  readonly head: string
  readonly tail: string
}): string | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?:([0-9]+)|"([^"\\]+)")\s*,/.exec(
    head,
  )
  const last = /,\s*"id"\s*:\s*(?:([0-9]+)|"([^"\\]+)")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)
  const match = first ?? last
  return match?.[1] ?? match?.[2]
}
