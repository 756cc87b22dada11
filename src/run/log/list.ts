/**
 * An append-only list whose versions share storage. `append` costs the same at any length, and every holder
 * of an older version keeps seeing exactly that version.
 */
export class SharedList<Item> implements Iterable<Item> {
  static empty<Item>(): SharedList<Item> {
    return new SharedList<Item>([], 0)
  }

  readonly #items: Item[]
  readonly length: number

  private constructor(items: Item[], length: number) {
    this.#items = items
    this.length = length
  }

  append(...added: readonly Item[]): SharedList<Item> {
    if (added.length === 0) return this
    // Another version has appended to this storage, or may do so (empty lists share theirs). So copy instead
    // of overwriting its items.
    const isNewest = this.length > 0 && this.#items.length === this.length
    if (!isNewest) return SharedList.of([...this.#items.slice(0, this.length), ...added])
    for (const item of added) this.#items.push(item)
    return SharedList.of(this.#items)
  }

  static of<Item>(items: Item[]): SharedList<Item> {
    return new SharedList(items, items.length)
  }

  /** Whether this is a later version of another, or that version itself. */
  continues(other: SharedList<Item>): boolean {
    return this.#items === other.#items && this.length >= other.length
  }

  find(matches: (item: Item) => boolean): Item | undefined {
    for (let index = 0; index < this.length; index++)
      if (matches(this.#items[index]!)) return this.#items[index]
    return undefined
  }

  at(index: number): Item | undefined {
    return index < this.length ? this.#items[index] : undefined
  }

  /** Iterates over a copy: that costs less than a generator, and hides later additions. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.toJSON().values()
  }

  toJSON(): Item[] {
    return this.#items.slice(0, this.length)
  }
}
