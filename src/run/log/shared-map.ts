/**
 * A map whose versions share storage. Adding to the newest version costs the same at any size, and every
 * holder of an older version keeps seeing exactly that version.
 */
export class SharedMap<Value> {
  static empty<Value>(): SharedMap<Value> {
    return new SharedMap<Value>({ values: new Map(), newest: 0 }, 0)
  }

  readonly #storage: Storage<Value>
  readonly #version: number

  private constructor(storage: Storage<Value>, version: number) {
    this.#storage = storage
    this.#version = version
  }

  get(key: string): Value | undefined {
    return this.#storage.values.get(key)?.findLast(({ since }) => since <= this.#version)?.value
  }

  with(entries: readonly (readonly [key: string, value: Value])[]): SharedMap<Value> {
    if (entries.length === 0) return this
    // All empty maps share version 0, so none of them may write to its storage.
    const isMine = this.#version > 0 && this.#storage.newest === this.#version
    const storage = isMine ? this.#storage : this.#copy()
    const since = ++storage.newest
    for (const [key, value] of entries) {
      const values = storage.values.get(key)
      if (values) values.push({ since, value })
      else storage.values.set(key, [{ since, value }])
    }
    return new SharedMap(storage, since)
  }

  toJSON(): Record<string, Value> {
    return Object.fromEntries(this.#entries())
  }

  #copy(): Storage<Value> {
    const values = new Map([...this.#entries()].map(([key, value]) => [key, [{ since: 0, value }]]))
    return { values, newest: 0 }
  }

  *#entries(): Generator<[string, Value]> {
    for (const [key, values] of this.#storage.values) {
      const entry = values.findLast(({ since }) => since <= this.#version)
      if (entry) yield [key, entry.value]
    }
  }
}

interface Storage<Value> {
  readonly values: Map<string, { readonly since: number; readonly value: Value }[]>
  newest: number
}
