import type { AgentAttempt } from "../log/event.ts"
import type { Child, ChildReport } from "../state/child.ts"
import { readMomentName } from "../state/moments.ts"
import { setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { writeChildReport } from "../words/prompt.ts"
import { goOnAfterHookChild } from "./apply-hooks.ts"
import { endMomentChild } from "./apply-moments.ts"

/** Gives a child's report to the call that waits for it, or to the next turn. `after_spawn` hooks see the report first. */
export function deliverReport(
  state: RunState,
  child: Child,
  { key, report: last }: NonNullable<Child["failed"]>,
  at: number,
  skipped: readonly AgentAttempt[] = [],
): RunState {
  const tried = [...(child.fallback?.tried ?? []), ...skipped]
  const report = tried.length > 0 ? { ...last, tried } : last
  if (readMomentName(child.call)) return endMomentChild(state, child, report, key, at)
  const { moments } = state
  const toldState = tell(state, child, key, report)
  if (!moments?.hooks.after_spawn || child.hook || state.stop) return toldState
  const { run, agent } = child
  const endedChild = { run, agent, outcome: report.outcome, output: report.output }
  return { ...toldState, moments: { ...moments, ended: [...moments.ended, endedChild] } }
}

function tell(state: RunState, child: Child, key: string, report: ChildReport): RunState {
  if (child.mode === "wait" && child.hook?.mode === "before" && report.outcome.type === "completed")
    return goOnAfterHookChild(state, child, report)
  if (child.mode === "wait") return setCall(state, child.call, { report })
  const note = { key, from: child.run, text: writeChildReport(child, report), report: true as const }
  return { ...state, inbox: [...state.inbox, note] }
}
