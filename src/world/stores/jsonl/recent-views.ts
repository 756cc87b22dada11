import type { TreePlace } from "./place.ts"
import { type IndexedLog, LogView } from "./view.ts"

const maxViews = 16

/** The logs of other owners that were read lately. A log that is read again is only read from where it ended. */
export class RecentViews {
  readonly #views = new Map<string, LogView>()

  read(place: TreePlace): Promise<IndexedLog | undefined> {
    const view = this.#views.get(place.root) ?? new LogView(place)
    this.#views.delete(place.root)
    this.#views.set(place.root, view)
    for (const oldest of this.#views.keys()) if (this.#views.size > maxViews) this.#views.delete(oldest)
    return view.refresh()
  }

  delete(root: string): void {
    this.#views.delete(root)
  }

  clear(): void {
    this.#views.clear()
  }
}
