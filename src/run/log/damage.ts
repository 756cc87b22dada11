import { rootOf } from "./id.ts"
import type { Store, Stored } from "./store.ts"

/** What is wrong with the log of a tree. */
export interface Damage {
  readonly reasons: readonly string[]
  /** `lost`: the first event of the root is, so that nothing can go on. */
  readonly start: "there" | "lost"
  /** `lost`: nobody can tell whether somebody drives it. */
  readonly owner: "known" | "lost"
}

/** What a look at a whole tree finds. */
export interface Look {
  /** Undefined: nothing is wrong with its log, or there is none. */
  readonly damage: Damage | undefined
  /** Runs whose definition is missing beside the log: they can be read, and not go on. */
  readonly undefinedRuns: readonly string[]
}

/** Reads the whole log. Undefined: nothing is wrong with it, or there is none. */
export const damageOf = async (store: Store, run: string): Promise<Damage | undefined> =>
  (await lookOver(store, run)).damage

export async function lookOver(store: Store, run: string): Promise<Look> {
  const root = rootOf(run)
  const reasons: string[] = []
  const undefinedRuns: string[] = []
  let start: Damage["start"] = "lost"
  let owner: Damage["owner"] = "known"
  for await (const piece of store.examine?.(root) ?? []) {
    if (piece.type === "damage") {
      reasons.push(piece.reason)
      owner = piece.owner ?? owner
      continue
    }
    if (piece.event.run === root && piece.event.seq === 0) start = "there"
    if (await lacksDefinition(store, piece.event)) undefinedRuns.push(piece.event.run)
  }
  return { damage: reasons.length > 0 ? { reasons, start, owner } : undefined, undefinedRuns }
}

/** Whether an event starts a run whose definition is not in the store. */
export async function lacksDefinition(store: Store, { run, type, ...rest }: Stored): Promise<boolean> {
  const { definition } = rest as { readonly definition?: unknown }
  return (
    type === "run-start" &&
    typeof definition === "string" &&
    (await store.getBlob(run, definition)) === undefined
  )
}
