import { rootOf } from "./id.ts"
import type { Store } from "./store.ts"

/** What is wrong with the log of a tree. */
export interface Damage {
  readonly reasons: readonly string[]
  /** `lost`: the first event of the root is, so that nothing can go on. */
  readonly start: "there" | "lost"
  /** `lost`: nobody can tell whether somebody drives it. */
  readonly owner: "known" | "lost"
}

/** Reads the whole log. Undefined: nothing is wrong with it, or there is none. */
export async function damageOf(store: Store, run: string): Promise<Damage | undefined> {
  const root = rootOf(run)
  const reasons: string[] = []
  let start: Damage["start"] = "lost"
  let owner: Damage["owner"] = "known"
  for await (const piece of store.examine?.(root) ?? []) {
    if (piece.type === "damage") {
      reasons.push(piece.reason)
      owner = piece.owner ?? owner
    } else if (piece.event.run === root && piece.event.seq === 0) start = "there"
  }
  return reasons.length > 0 ? { reasons, start, owner } : undefined
}
