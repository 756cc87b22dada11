import type { Letter } from "../../run/log/store.ts"

/** The letters of one tree on their way to its owner, each key once per run. */
export class Mailbox {
  readonly #known = new Set<string>()
  /** Acknowledged by owners before this one: kept until all of them are known, as a repair may want them again. */
  readonly #settled = new Map<string, Letter>()
  /** Not acknowledged, in the order they came. */
  readonly #open = new Map<string, Letter>()
  #waiting: Letter[] = []
  #taken = 0

  /** False: a letter with this key came before. */
  add(letter: Letter): boolean {
    const id = letterId(letter)
    if (this.#known.has(id)) return false
    this.#known.add(id)
    this.#open.set(id, letter)
    this.#waiting.push(letter)
    return true
  }

  acknowledge(id: string): void {
    this.#known.add(id)
    this.#open.delete(id)
  }

  /** An owner before this one has acknowledged it. */
  settle(id: string): void {
    const letter = this.#open.get(id)
    this.acknowledge(id)
    if (letter) this.#settled.set(id, letter)
  }

  /** Those of them that are wanted again wait with the others, in the order they were written. */
  unsettle(isWanted: (letter: Letter) => boolean): void {
    const letters = [...this.#settled.values()].filter(isWanted)
    this.#settled.clear()
    const all = [...letters, ...this.#open.values()].sort((left, right) => left.at - right.at)
    this.#open.clear()
    for (const letter of all) this.#open.set(letterId(letter), letter)
  }

  get hasWaiting(): boolean {
    return this.#taken < this.#waiting.length
  }

  take(): Letter | undefined {
    if (this.hasWaiting) return this.#waiting[this.#taken++]
    this.#waiting = []
    this.#taken = 0
    return undefined
  }

  /** For the next owner: everything not acknowledged waits again. */
  reopen(): void {
    this.#waiting = [...this.#open.values()]
    this.#taken = 0
    this.#settled.clear()
  }
}

/** A run id has no space, so this cannot be read in two ways. */
export const letterId = (letter: { readonly run: string; readonly key: string }): string =>
  `${letter.run} ${letter.key}`
