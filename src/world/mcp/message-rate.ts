/** Counts the unrequested messages of a server, and says when there are too many. */
export class MessageRate {
  readonly #mostEachSecond: number
  #second = 0
  #count = 0

  constructor(mostEachSecond: number) {
    this.#mostEachSecond = mostEachSecond
  }

  /** Counts one message at this time (in milliseconds). True: the message exceeds the limit. */
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
