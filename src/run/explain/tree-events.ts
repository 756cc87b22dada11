import type { RunEvent } from "../log/event.ts"
import { getRootRun } from "../log/id.ts"
import type { LogPiece, Store, StoredEvent } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"

/** The events of a run and the runs below it: in the order of the log, where the store has one for a tree. */
export async function* readTreeEvents(
  store: Store,
  run: string,
  onDamage: (piece: Extract<LogPiece, { readonly type: "damage" }>) => void = () => {},
): AsyncGenerator<RunEvent> {
  const isOf = (other: string) => other === run || other.startsWith(`${run}.`)
  // The root records what a person undid, for every run of its tree.
  const isWanted = ({ run: other, type }: StoredEvent) => isOf(other) || type === "changes-undone"
  if (store.examine) {
    for await (const piece of store.examine(getRootRun(run))) {
      const event = piece.type === "event" && isWanted(piece.event) ? upcast(piece.event) : undefined
      if (event) yield event
      if (piece.type === "damage") onDamage(piece)
    }
    return
  }
  for await (const head of store.list({ root: getRootRun(run) }))
    if (isOf(head.run) || head.run === getRootRun(run))
      for await (const stored of store.read(head.run)) {
        const event = isWanted(stored) ? upcast(stored) : undefined
        if (event) yield event
      }
}
