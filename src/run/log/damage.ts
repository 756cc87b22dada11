import { getRootRun } from "./id.ts"
import type { Store, StoredEvent } from "./store.ts"

/** The damage of a tree's log. */
export interface Damage {
  readonly reasons: readonly string[]
  /** `lost`: the first event of the root is lost, so the run cannot be resumed. */
  readonly start: "there" | "lost"
  /** `lost`: the owner's name is unreadable, so the store cannot tell whether a process drives the run. */
  readonly owner: "known" | "lost"
}

/** The result of examining a whole tree. */
export interface TreeExamination {
  /** Undefined: the log is undamaged, or there is none. */
  readonly damage: Damage | undefined
  /** Runs whose definition is missing beside the log: they can be read but not resumed. */
  readonly undefinedRuns: readonly string[]
}

/** Reads the whole log. Undefined: the log is undamaged, or there is none. */
export const findDamage = async (store: Store, run: string): Promise<Damage | undefined> =>
  (await examineWholeTree(store, run)).damage

export async function examineWholeTree(store: Store, run: string): Promise<TreeExamination> {
  const root = getRootRun(run)
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

/** True if an event starts a run whose definition is not in the store. */
export async function lacksDefinition(store: Store, { run, type, ...rest }: StoredEvent): Promise<boolean> {
  const { definition } = rest as { readonly definition?: unknown }
  return (
    type === "run-start" &&
    typeof definition === "string" &&
    (await store.getBlob(run, definition)) === undefined
  )
}
