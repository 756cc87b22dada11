import { fold, readRunStart } from "../begin/load.ts"
import type { ChildEnd, ChildStart } from "../log/event.ts"
import type { RunEnd } from "../log/event-run.ts"
import { findParentRun, getRootRun } from "../log/id.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"

/** Adopts children that the store has and the run's damaged log does not mention. */
export async function adoptChildren(drive: Drive): Promise<void> {
  const { environment, recorder, state } = drive
  const recorded = await childrenIn(environment.store, state.run)
  for await (const { run, agent } of environment.store.list({ root: getRootRun(state.run) })) {
    if (findParentRun(run) !== state.run || recorded.has(run)) continue
    const start = await readRunStart(environment.store, run)
    // A child whose first event is lost cannot do anything more.
    if (start.type !== "run-start") continue
    await recorder.record(
      { type: "child-start", call: start.caller?.call ?? "", child: run, agent, mode: "background" },
      { settle: { spawns: 1 } },
    )
  }
}

/**
 * Runs of a repaired tree that have ended, though their own record of that is lost. No other code would look
 * at them again.
 */
export async function findUnrecordedEnds(store: Store, root: string): Promise<readonly string[]> {
  const ended: string[] = []
  for await (const { run, status } of store.list({ root })) {
    const state = status === "open" && run !== root ? (await fold(store, run))?.state : undefined
    if (state?.start && (await findReportedEnd(store, state))) ended.push(run)
  }
  return ended
}

/** The end of a run whose own record of it is lost, as its caller was told. */
export async function findReportedEnd(store: Store, state: RunState): Promise<RunEnd | undefined> {
  if (!state.lost || state.end || !state.start!.caller) return undefined
  const lastEvent = (await childrenIn(store, state.start!.caller.run)).get(state.run)
  if (lastEvent?.type !== "child-end") return undefined
  const { outcome, output } = lastEvent
  return { type: "run-end", outcome, output, ...("value" in lastEvent && { value: lastEvent.value }) }
}

/** The children in a log, each with the last event about its beginning or end. */
async function childrenIn(store: Store, run: string): Promise<ReadonlyMap<string, ChildStart | ChildEnd>> {
  const children = new Map<string, ChildStart | ChildEnd>()
  for await (const stored of store.read(run)) {
    const event = upcast(stored)
    if (event?.type === "child-start" || event?.type === "child-end") children.set(event.child, event)
  }
  return children
}

/**
 * Reports a run whose first event is lost to its caller. It cannot go on, and the caller must not wait for
 * ever.
 */
export async function reportLost(
  store: Store,
  run: string,
  post: (caller: string, body: LostEnd) => void,
): Promise<void> {
  const caller = findParentRun(run)
  if (caller === undefined) return
  for await (const { type } of store.read(run)) {
    if (type !== "event-lost") return
    return post(caller, createLostChildEnd(run))
  }
}

/** The end of a child that has nothing left to go on from. */
export const createLostChildEnd = (run: string): LostEnd => ({
  type: "child-end",
  child: run,
  outcome: {
    type: "uncertain",
    reason: "its part of the log is lost, so it cannot be resumed, and its effects are unknown",
  },
  output: "",
  usage: {},
})

type LostEnd = Pick<ChildEnd, "type" | "child" | "outcome" | "output" | "usage">
