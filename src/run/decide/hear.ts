import type { Tried } from "../log/event.ts"
import type { Child, Report } from "../state/child.ts"
import { momentOf } from "../state/moments.ts"
import { setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { childReport } from "../words/prompt.ts"
import { goOn } from "./apply-hooks.ts"
import { heardAt } from "./apply-moments.ts"

/** What a child came to reaches whoever waits for it, or the next turn; where hooks want to see it first, they are asked. */
export function hear(
  state: RunState,
  child: Child,
  { key, report: last }: NonNullable<Child["failed"]>,
  at: number,
  skipped: readonly Tried[] = [],
): RunState {
  const tried = [...(child.fallback?.tried ?? []), ...skipped]
  const report = tried.length > 0 ? { ...last, tried } : last
  if (momentOf(child.call)) return heardAt(state, child, report, key, at)
  const { moments } = state
  const told = tell(state, child, key, report)
  if (!moments?.hooks.after_spawn || child.hook || state.stop) return told
  const { run, agent } = child
  const ended = { run, agent, outcome: report.outcome, output: report.output }
  return { ...told, moments: { ...moments, ended: [...moments.ended, ended] } }
}

function tell(state: RunState, child: Child, key: string, report: Report): RunState {
  if (child.mode === "wait" && child.hook?.mode === "before" && report.outcome.type === "completed")
    return goOn(state, child, report)
  if (child.mode === "wait") return setCall(state, child.call, { report })
  const note = { key, from: child.run, text: childReport(child, report), report: true as const }
  return { ...state, inbox: [...state.inbox, note] }
}
