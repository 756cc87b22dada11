/** Runs what shares a key one after the other, in this process. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>()

  async hold<Value>(key: string | undefined, work: () => Promise<Value>): Promise<Value> {
    if (key === undefined) return work()
    const before = this.#tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#tails.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key)
    }
  }
}
