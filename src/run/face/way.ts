import { startOf } from "../begin/load.ts"
import type { Handed } from "../drive/proof.ts"
import type { RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { parentOf } from "../log/id.ts"
import type { Store } from "../log/store.ts"

/** How a task came down to a run: every run above it and itself, the root first, with what each was asked to do. */
export async function wayTo(store: Store, run: string): Promise<readonly Handed[]> {
  const above = parentOf(run)
  const start = await startOf(store, run)
  const before = above === undefined ? [] : await wayTo(store, above)
  const gains = above === undefined ? undefined : await gainsOf(store, above, run)
  return [...before, { ...handed(run, start), ...(gains && { gains }) }]
}

/** As its caller recorded it: what that one could do may have changed since it started. */
async function gainsOf(store: Store, caller: string, child: string): Promise<Handed["gains"]> {
  for await (const event of store.read(caller)) {
    const known = event as unknown as RunEvent
    if (known.type === "child-start" && known.child === child) return known.gains
  }
  return undefined
}

const handed = (run: string, { agent, task }: RunStart): Handed => ({ run, agent, task })
