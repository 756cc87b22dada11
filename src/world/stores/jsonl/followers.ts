import { Bell } from "../bell.ts"

/** The callers that follow a tree. Each has a bell that rings when this store appends to the tree. */
export class Followers {
  readonly #bells = new Map<string, Set<Bell>>()

  add(root: string): Bell {
    const bell = new Bell()
    this.#bells.set(root, (this.#bells.get(root) ?? new Set()).add(bell))
    return bell
  }

  delete(root: string, bell: Bell): void {
    const bells = this.#bells.get(root)
    bells?.delete(bell)
    if (bells?.size === 0) this.#bells.delete(root)
  }

  ring(root: string): void {
    for (const bell of this.#bells.get(root) ?? []) bell.ring()
  }
}
