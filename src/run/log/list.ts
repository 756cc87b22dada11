/**
 * An append-only list whose versions share storage: `append` costs the same at any length,
 * and every holder of an older version keeps seeing exactly that version.
 */
export class List<Item> implements Iterable<Item> {
  static empty<Item>(): List<Item> {
    return new List<Item>([], 0)
  }

  readonly #items: Item[]
  readonly length: number

  private constructor(items: Item[], length: number) {
    this.#items = items
    this.length = length
  }

  append(...added: readonly Item[]): List<Item> {
    if (added.length === 0) return this
    // Somebody else grew this storage, or will (an empty list is shared): branch off instead of writing over their items.
    const mine = this.length > 0 && this.#items.length === this.length
    if (!mine) return List.of([...this.#items.slice(0, this.length), ...added])
    for (const item of added) this.#items.push(item)
    return List.of(this.#items)
  }

  static of<Item>(items: Item[]): List<Item> {
    return new List(items, items.length)
  }

  /** Whether this is a later version of another, or that version itself. */
  continues(other: List<Item>): boolean {
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

  /** Over a copy: it costs less than a generator, and nobody sees what is appended meanwhile. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.toJSON().values()
  }

  toJSON(): Item[] {
    return this.#items.slice(0, this.length)
  }
}
