/** Keeps the beginning and the end of a command's output, and drops the middle. */
export class Output {
  readonly #head: Space
  readonly #tail: Space
  /** The number of bytes that arrived. */
  bytes = 0

  constructor({ head, tail }: { readonly head: number; readonly tail: number }) {
    this.#head = { limit: head, bytes: Buffer.alloc(0), used: 0 }
    this.#tail = { limit: tail, bytes: Buffer.alloc(0), used: 0 }
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    const first = chunk.subarray(0, this.#head.limit - this.#head.used)
    put(this.#head, first)
    // The tail is a ring, in which only the last bytes stay.
    for (let rest = chunk.subarray(first.length); rest.length > 0; ) {
      const { limit, used } = this.#tail
      const part = rest.subarray(0, limit - (used % limit))
      put(this.#tail, part)
      rest = rest.subarray(part.length)
    }
  }

  /** The number of dropped bytes. */
  get omitted(): number {
    return Math.max(0, this.#tail.used - this.#tail.limit)
  }

  /** `tail` is empty if nothing was dropped. */
  get text(): { readonly head: string; readonly tail: string } {
    const head = this.#head.bytes.subarray(0, this.#head.used)
    const { bytes, used, limit } = this.#tail
    if (this.omitted === 0)
      return { head: wellFormed(Buffer.concat([head, bytes.subarray(0, used)])), tail: "" }
    const start = used % limit
    const tail = Buffer.concat([bytes.subarray(start, limit), bytes.subarray(0, start)])
    return { head: wellFormed(head), tail: wellFormed(tail) }
  }
}

interface Space {
  readonly limit: number
  bytes: Buffer
  /** The number of bytes that were written, also those that later bytes replaced. */
  used: number
}

/** Writes bytes that fit into the rest of the buffer. When the buffer is full, the next bytes replace the oldest. */
function put(space: Space, part: Buffer): void {
  if (part.length === 0) return
  const start = space.used % space.limit
  const needed = start + part.length
  if (space.bytes.length < needed) {
    const larger = Buffer.alloc(Math.min(space.limit, Math.max(needed, space.bytes.length * 4, 16_384)))
    space.bytes.copy(larger)
    space.bytes = larger
  }
  part.copy(space.bytes, start)
  space.used += part.length
}

/** Invalid bytes become the replacement character, and so does NUL. */
function wellFormed(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\ufffd")
}
