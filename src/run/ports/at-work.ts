import { abandonAfter, type Running } from "./effect.ts"

export type Abortable = Pick<Running<unknown>, "settled" | "abort">

/** What a run has in flight, by key, and how it is told to stop. */
export class AtWork {
  readonly #works = new Map<string, Abortable | undefined>()
  #abandoned: Set<string> | undefined
  readonly #onLeft: () => void

  /** `onLeft` is told of work that was left to itself. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft
  }

  get size(): number {
    return this.#works.size
  }

  has(key: string): boolean {
    return this.#works.has(key)
  }

  /** Work that has only begun cannot be told to stop yet. */
  set(key: string, work: Abortable | undefined): void {
    this.#works.set(key, work)
  }

  delete(key: string): void {
    this.#works.delete(key)
  }

  abortAll(why: string, except?: string): void {
    for (const key of this.#works.keys()) if (key !== except) this.abort(key, why)
  }

  /** Foreign code that cannot even be told to stop is left to itself after as long as any other. */
  abort(key: string, why: string): void {
    const work = this.#works.get(key)
    if (work && !work.settled) return work.abort(why)
    if (key === "end" || this.#abandoned?.has(key)) return
    this.#abandoned = (this.#abandoned ?? new Set()).add(key)
    setTimeout(() => {
      this.#abandoned?.delete(key)
      this.#works.delete(key)
      this.#onLeft()
    }, abandonAfter)
  }
}
