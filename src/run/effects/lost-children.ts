import { fold, startOf } from "../begin/load.ts"
import type { ChildEnd, ChildStart } from "../log/event.ts"
import type { RunEnd } from "../log/event-run.ts"
import { parentOf, rootOf } from "../log/id.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"

/** Children that a run has and its log, of which events are lost, does not tell of: they are its children again. */
export async function adoptChildren(drive: Drive): Promise<void> {
  const { environment, recorder, state } = drive
  const known = await childrenIn(environment.store, state.run)
  for await (const { run, agent } of environment.store.list({ root: rootOf(state.run) })) {
    if (parentOf(run) !== state.run || known.has(run)) continue
    const start = await startOf(environment.store, run)
    // One whose own first event is lost can do nothing more.
    if (start.type !== "run-start") continue
    await recorder.record(
      { type: "child-start", call: start.caller?.call ?? "", child: run, agent, mode: "background" },
      { settle: { spawns: 1 } },
    )
  }
}

/** Runs of a repaired tree that have ended, though the record of that is lost: nobody else would look at them again. */
export async function endedUnawares(store: Store, root: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { run, status } of store.list({ root })) {
    const state = status === "open" && run !== root ? (await fold(store, run))?.state : undefined
    if (state?.start && (await endTold(store, state))) found.push(run)
  }
  return found
}

/** How a run ended whose own record of that is lost, as its caller was told. */
export async function endTold(store: Store, state: RunState): Promise<RunEnd | undefined> {
  if (!state.lost || state.end || !state.start!.caller) return undefined
  const told = (await childrenIn(store, state.start!.caller.run)).get(state.run)
  if (told?.type !== "child-end") return undefined
  const { outcome, output } = told
  return { type: "run-end", outcome, output, ...("value" in told && { value: told.value }) }
}

/** Which children a log tells of, each with the last thing that it says of its beginning or end. */
async function childrenIn(store: Store, run: string): Promise<ReadonlyMap<string, ChildStart | ChildEnd>> {
  const known = new Map<string, ChildStart | ChildEnd>()
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event?.type === "child-start" || event?.type === "child-end") known.set(event.child, event)
  }
  return known
}

/** A run whose first event is lost cannot go on, and whoever waits for it must not wait for ever. */
export async function reportLost(
  store: Store,
  run: string,
  post: (caller: string, body: LostEnd) => void,
): Promise<void> {
  const caller = parentOf(run)
  if (caller === undefined) return
  for await (const { type } of store.read(run)) {
    if (type !== "event-lost") return
    return post(caller, lostChild(run))
  }
}

/** Of a child of which nothing is left that it could go on from. */
export const lostChild = (run: string): LostEnd => ({
  type: "child-end",
  child: run,
  outcome: {
    type: "uncertain",
    reason: "its part of the log is lost, so that it cannot go on and nobody knows what it has done",
  },
  output: "",
  usage: {},
})

type LostEnd = Pick<ChildEnd, "type" | "child" | "outcome" | "output" | "usage">
