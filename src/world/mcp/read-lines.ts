/** One line of what a server prints: a message, something that is none, or one that is too long to be kept. */
export type Line =
  | { readonly type: "message"; readonly value: unknown }
  | { readonly type: "noise"; readonly text: string }
  | { readonly type: "too-long"; readonly bytes: number; readonly head: string; readonly tail: string }
  /** It is still not at its end. */
  | { readonly type: "endless"; readonly bytes: number }

/**
 * Takes lines out of what comes in pieces, and keeps no more of one than `most` bytes. Of a longer one the beginning and the
 * end are kept, by which its call can be told.
 */
export class LineReader {
  readonly #most: number
  #pieces: Buffer[] = []
  #bytes = 0
  #tail: Buffer = Buffer.alloc(0)

  constructor(most: number) {
    this.#most = most
  }

  read(chunk: Buffer): readonly Line[] {
    const lines: Line[] = []
    let rest = chunk
    for (let end = rest.indexOf(newLine); end >= 0; end = rest.indexOf(newLine)) {
      this.#add(rest.subarray(0, end))
      const line = this.#take()
      if (line) lines.push(line)
      rest = rest.subarray(end + 1)
    }
    this.#add(rest)
    if (this.#bytes > this.#most * timesTooLong) lines.push({ type: "endless", bytes: this.#bytes })
    return lines
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#bytes += piece.length
    if (this.#bytes <= this.#most) {
      this.#pieces.push(piece)
      return
    }
    // Too long already: nothing but its ends.
    if (this.#tail.length === 0) {
      const all = Buffer.concat([...this.#pieces, piece])
      this.#pieces = [Buffer.from(all.subarray(0, keptOfEnds))]
      this.#tail = Buffer.from(all.subarray(-keptOfEnds))
      return
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, piece.subarray(-keptOfEnds)]).subarray(-keptOfEnds))
  }

  #take(): Line | undefined {
    const [bytes, tail] = [this.#bytes, this.#tail]
    const text = Buffer.concat(this.#pieces).toString()
    this.#pieces = []
    this.#bytes = 0
    this.#tail = Buffer.alloc(0)
    if (bytes > this.#most) return { type: "too-long", bytes, head: text, tail: tail.toString() }
    const line = text.trim()
    if (line === "") return undefined
    try {
      return { type: "message", value: JSON.parse(line) }
    } catch {
      return { type: "noise", text: line.slice(0, keptOfEnds) }
    }
  }
}

const newLine = 10
const keptOfEnds = 256
const timesTooLong = 8

/**
 * Which call a message of which only the ends are known answers: its id stands first or last in it, where nothing that is
 * nested can stand. Undefined: it cannot be told.
 */
export function answeredBy({
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
  const found = first ?? last
  return found?.[1] ?? found?.[2]
}
