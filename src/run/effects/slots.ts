/**
 * The concurrency of one tree: a fair queue. A run holds a slot only while its model or one of its tools is
 * working.
 */
export class Slots {
  readonly #limit: number
  #heldCount = 0
  readonly #queue = new Set<Slot>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** True when the slot is held now. Otherwise the slot is queued, and `granted` is called when it comes. */
  ask(slot: Slot): boolean {
    if (slot.isHeld) return true
    if (this.#heldCount >= this.#limit) {
      this.#queue.add(slot)
      return false
    }
    this.#heldCount++
    slot.isHeld = true
    return true
  }

  release(slot: Slot): void {
    this.#queue.delete(slot)
    if (!slot.isHeld) return
    slot.isHeld = false
    this.#heldCount--
    const next = this.#queue.values().next().value
    if (!next) return
    this.#queue.delete(next)
    this.ask(next)
    next.onGranted()
  }
}

export interface Slot {
  isHeld: boolean
  onGranted(): void
}
