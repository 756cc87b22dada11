import type { Agent } from "../../agent/agent.ts"
import { readClock } from "../log/clock.ts"
import type { ChildStart, RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { findGains } from "../rights/gains.ts"
import { describeDepthReached } from "../words/prompt.ts"
import type { Drive } from "./drive-view.ts"

/**
 * Dispatches a child, or cancels it if the caller has stopped: a cancel could not reach the child during its
 * creation. A caller at rest still wants the child.
 */
export function dispatchChild({ state, tree }: Drive, child: string): void {
  if (state.stop || state.end)
    tree.post(child, `${child}:cancel`, { type: "cancel", reason: "its parent stopped" })
  else tree.dispatch(child)
}

/** The tools that a child has and its caller does not, and those that it lists and does not have. */
export function describeChildRights(
  { state, environment }: Drive,
  first: RunEvent,
): Pick<ChildStart, "gains" | "lacks"> {
  if (first.type !== "run-start") return {}
  const gains = findGains({ tools: state.start!.tools, rights: state.rights }, first, environment.tools)
  return { ...(gains.length > 0 && { gains }), ...(first.lacks && { lacks: first.lacks }) }
}

/**
 * Creates a run. Its time is the time of its creation, so sorting by time gives the recorded order.
 */
export async function createChildRun(
  { environment }: Drive,
  first: RunEvent & { at: number },
): Promise<void> {
  first.at = readClock()
  if ((await environment.store.create(first)) === "created") environment.created.set(first.run, first)
  environment.emit(first)
}

/** The reason why a run may not have children; undefined if it may. */
export const findDepthProblem = ({ depth, limits }: RunStart, { name }: Agent): string | undefined =>
  depth < limits.maxDepth ? undefined : describeDepthReached(name, depth, limits.maxDepth)
