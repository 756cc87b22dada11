const chunkSize = 32

/** A row of items in which replacing one copies only a few others: a turn may have a thousand calls. */
export class Row<Item> implements Iterable<Item> {
  static of<Item>(items: readonly Item[]): Row<Item> {
    const chunks: Item[][] = []
    for (let start = 0; start < items.length; start += chunkSize)
      chunks.push(items.slice(start, start + chunkSize))
    return new Row(chunks, items.length)
  }

  readonly #chunks: readonly (readonly Item[])[]
  readonly length: number

  private constructor(chunks: readonly (readonly Item[])[], length: number) {
    this.#chunks = chunks
    this.length = length
  }

  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.#chunks[Math.floor(index / chunkSize)]?.[index % chunkSize]
  }

  with(index: number, item: Item): Row<Item> {
    const place = Math.floor(index / chunkSize)
    const chunk = this.#chunks[place]!.with(index % chunkSize, item)
    return new Row(this.#chunks.with(place, chunk), this.length)
  }

  /** Fills the last chunk first, so that every index stays valid. */
  append(items: readonly Item[]): Row<Item> {
    if (items.length === 0) return this
    const whole = Math.floor(this.length / chunkSize)
    const added = Row.of([...this.#chunks.slice(whole).flat(), ...items])
    return new Row([...this.#chunks.slice(0, whole), ...added.#chunks], this.length + items.length)
  }

  find(matches: (item: Item) => boolean): Item | undefined {
    for (const chunk of this.#chunks) {
      const match = chunk.find(matches)
      if (match !== undefined) return match
    }
    return undefined
  }

  /** The chunks. A chunk stays the same object until one of its items is replaced. */
  chunks(): readonly (readonly Item[])[] {
    return this.#chunks
  }

  toArray(): Item[] {
    return this.#chunks.flat() as Item[]
  }

  toJSON(): Item[] {
    return this.toArray()
  }

  [Symbol.iterator](): IterableIterator<Item> {
    return (this.#chunks.length === 1 ? this.#chunks[0]! : this.toArray())[Symbol.iterator]()
  }
}
