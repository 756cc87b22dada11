import { readRunStart } from "../begin/load.ts"
import type { RunOnPath } from "../drive/proof.ts"
import type { RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { findParentRun } from "../log/id.ts"
import type { Store } from "../log/store.ts"

/** The runs from the root down to this one, each with its task. */
export async function readPathTo(store: Store, run: string): Promise<readonly RunOnPath[]> {
  const parent = findParentRun(run)
  const start = await readRunStart(store, run)
  const runsAbove = parent === undefined ? [] : await readPathTo(store, parent)
  const gains = parent === undefined ? undefined : await gainsOf(store, parent, run)
  return [...runsAbove, { ...describeRun(run, start), ...(gains && { gains }) }]
}

/** The tools that only the child has, as its caller recorded them: the rights of the caller may have changed since. */
async function gainsOf(store: Store, caller: string, child: string): Promise<RunOnPath["gains"]> {
  for await (const event of store.read(caller)) {
    const runEvent = event as unknown as RunEvent
    if (runEvent.type === "child-start" && runEvent.child === child) return runEvent.gains
  }
  return undefined
}

const describeRun = (run: string, { agent, task }: RunStart): RunOnPath => ({ run, agent, task })
