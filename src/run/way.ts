import type { RunStart } from "./event.ts"
import { gainsOf } from "./gains.ts"
import { parentOf } from "./id.ts"
import { startOf } from "./load.ts"
import type { Handed } from "./proof.ts"
import type { Store } from "./store.ts"

/** How a task came down to a run: every run above it and itself, the root first, with what each was asked to do. */
export async function wayTo(store: Store, run: string): Promise<readonly Handed[]> {
  const above = parentOf(run)
  const start = await startOf(store, run)
  const before = above === undefined ? [] : await wayTo(store, above)
  const gains = above === undefined ? [] : gainsOf(await startOf(store, above), start)
  return [...before, { ...handed(run, start), ...(gains.length > 0 && { gains }) }]
}

const handed = (run: string, { agent, task }: RunStart): Handed => ({ run, agent, task })
