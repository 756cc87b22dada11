/** The concurrency of one tree: a fair queue. A run holds a slot only while a model or tool of it is at work. */
export class Slots {
  readonly #limit: number
  #held = 0
  readonly #queue = new Set<Slot>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** True when the slot is held now; otherwise it is queued and `granted` is called when it comes. */
  ask(slot: Slot): boolean {
    if (slot.held) return true
    if (this.#held >= this.#limit) {
      this.#queue.add(slot)
      return false
    }
    this.#held++
    slot.held = true
    return true
  }

  release(slot: Slot): void {
    this.#queue.delete(slot)
    if (!slot.held) return
    slot.held = false
    this.#held--
    const next = this.#queue.values().next().value
    if (!next) return
    this.#queue.delete(next)
    this.ask(next)
    next.granted()
  }
}

export interface Slot {
  held: boolean
  granted(): void
}
