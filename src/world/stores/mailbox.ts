import type { Letter } from "../../run/log/store.ts"

/** The letters of one tree to its owner. Each key is delivered once per run. */
export class Mailbox {
  readonly #knownIds = new Set<string>()
  /**
   * Letters that earlier owners acknowledged. They are kept until the inbox is read, because a repair may need them
   * again.
   */
  readonly #acknowledgedEarlier = new Map<string, Letter>()
  /** Unacknowledged letters, in the order of their arrival. */
  readonly #open = new Map<string, Letter>()
  #waiting: Letter[] = []
  #position = 0

  /** False: there was already a letter with this key. */
  add(letter: Letter): boolean {
    const id = identifyLetter(letter)
    if (this.#knownIds.has(id)) return false
    this.#knownIds.add(id)
    this.#open.set(id, letter)
    this.#waiting.push(letter)
    return true
  }

  acknowledge(id: string): void {
    this.#knownIds.add(id)
    this.#open.delete(id)
  }

  /** Records that an earlier owner acknowledged the letter. */
  acknowledgeEarlier(id: string): void {
    const letter = this.#open.get(id)
    this.acknowledge(id)
    if (letter) this.#acknowledgedEarlier.set(id, letter)
  }

  /** Makes some letters of earlier owners wait again, together with the others, in the order they were written. */
  resend(shouldResend: (letter: Letter) => boolean): void {
    const letters = [...this.#acknowledgedEarlier.values()].filter(shouldResend)
    this.#acknowledgedEarlier.clear()
    const all = [...letters, ...this.#open.values()].sort((left, right) => left.at - right.at)
    this.#open.clear()
    for (const letter of all) this.#open.set(identifyLetter(letter), letter)
  }

  get hasWaiting(): boolean {
    return this.#position < this.#waiting.length
  }

  take(): Letter | undefined {
    if (this.hasWaiting) return this.#waiting[this.#position++]
    this.#waiting = []
    this.#position = 0
    return undefined
  }

  /** Prepares for the next owner: all unacknowledged letters wait again. */
  reopen(): void {
    this.#waiting = [...this.#open.values()]
    this.#position = 0
    this.#acknowledgedEarlier.clear()
  }
}

/** A run id contains no space, so the id is unambiguous. */
export const identifyLetter = (letter: { readonly run: string; readonly key: string }): string =>
  `${letter.run} ${letter.key}`
