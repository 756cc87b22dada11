/** Counts what a server sends without being asked, and says when it is more than anybody needs. */
export class Unsolicited {
  readonly #mostEachSecond: number
  #second = 0
  #count = 0

  constructor(mostEachSecond: number) {
    this.#mostEachSecond = mostEachSecond
  }

  /** Whether this one, at this time in milliseconds, is one too many. */
  isTooMany(at: number): boolean {
    const second = Math.floor(at / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#count = 0
    }
    this.#count++
    return this.#count > this.#mostEachSecond
  }
}
