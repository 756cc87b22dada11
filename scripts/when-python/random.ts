/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, and without, this integer. */
  readonly below = (end: number): number => Math.floor(this.#next() * end)

  readonly chance = (share: number): boolean => this.#next() < share

  readonly pick = <Item>(items: readonly Item[]): Item => items[this.below(items.length)]!

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
