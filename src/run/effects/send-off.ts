import type { Agent } from "../../agent/agent.ts"
import { now } from "../log/clock.ts"
import type { ChildStart, RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { gainsOf } from "../rights/gains.ts"
import { depthReached } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"

/** A cancel that came while it was being created found nobody there. A caller that has come to rest wants it all the same. */
export function sendOff({ state, tree }: Drive, child: string): void {
  if (state.stop || state.end)
    tree.post(child, `${child}:cancel`, { type: "cancel", reason: "its parent stopped" })
  else tree.dispatch(child)
}

/** What a child has that its caller has not, and what it lists and has not. */
export function rightsNote(
  { state, environment }: Drive,
  first: RunEvent,
): Pick<ChildStart, "gains" | "lacks"> {
  if (first.type !== "run-start") return {}
  const gains = gainsOf({ tools: state.start!.tools, rights: state.rights }, first, environment.tools)
  return { ...(gains.length > 0 && { gains }), ...(first.lacks && { lacks: first.lacks }) }
}

/** Its time is that of its creation, so that times tell the order in which a tree was recorded. */
export async function create({ environment }: Drive, first: RunEvent & { at: number }): Promise<void> {
  first.at = now()
  if ((await environment.store.create(first)) === "created") environment.created.set(first.run, first)
  environment.emit(first)
}

/** What keeps a run from having children; undefined where nothing does. */
export const tooDeep = ({ depth, limits }: RunStart, { name }: Agent): string | undefined =>
  depth < limits.maxDepth ? undefined : depthReached(name, depth, limits.maxDepth)
