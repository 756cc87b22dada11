import { abandonAfter, type RunningWork } from "./effect.ts"

export type Abortable = Pick<RunningWork<unknown>, "isSettled" | "abort">

/** The work that a run has in flight, by key, and the means to abort it. */
export class WorkInFlight {
  readonly #works = new Map<string, Abortable | undefined>()
  #abandoned: Set<string> | undefined
  readonly #onLeft: () => void

  /** `onLeft` is called when work is abandoned. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft
  }

  get size(): number {
    return this.#works.size
  }

  has(key: string): boolean {
    return this.#works.has(key)
  }

  /** Records work under a key. Work that is still being prepared is undefined and cannot be aborted yet. */
  set(key: string, work: Abortable | undefined): void {
    this.#works.set(key, work)
  }

  delete(key: string): void {
    this.#works.delete(key)
  }

  abortAll(why: string, except?: string): void {
    for (const key of this.#works.keys()) if (key !== except) this.abort(key, why)
  }

  /**
   * Aborts the work. Work that cannot be aborted is abandoned after the same time as work that ignores its
   * signal.
   */
  abort(key: string, why: string): void {
    const work = this.#works.get(key)
    if (work && !work.isSettled) return work.abort(why)
    if (key === "end" || this.#abandoned?.has(key)) return
    this.#abandoned = (this.#abandoned ?? new Set()).add(key)
    setTimeout(() => {
      this.#abandoned?.delete(key)
      this.#works.delete(key)
      this.#onLeft()
    }, abandonAfter)
  }
}
