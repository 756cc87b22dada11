import type { LiveEvent } from "./event.ts"
import { getRootRun } from "./id.ts"

/** Passes live events on to the listeners of a tree. Costs nothing while there are none. */
export class Bus {
  readonly #listeners = new Map<string, Set<(event: LiveEvent) => void>>()

  emit(event: LiveEvent): void {
    if (this.#listeners.size === 0) return
    for (const listener of this.#listeners.get(getRootRun(event.run)) ?? []) listener(event)
  }

  subscribe(root: string, listener: (event: LiveEvent) => void): () => void {
    const listeners = this.#listeners.get(root) ?? new Set()
    this.#listeners.set(root, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(root)
    }
  }
}
