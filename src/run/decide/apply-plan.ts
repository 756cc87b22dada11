import type { CallResult, PlanEnd } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { SharedList } from "../log/list.ts"
import type { OpenCall } from "../state/open-call.ts"
import { callCountAfter } from "../state/set-call.ts"
import type { PlanState, RunState } from "../state/state.ts"
import { changeTally } from "../state/tally.ts"

/** Folds plans and their results into the state of a run that no model drives. */

export const startPlan = ({ kind }: RunStart): Pick<RunState, "plan"> =>
  kind === "agent" ? {} : { plan: { results: SharedList.empty(), readResults: -1 } }

/** Planned calls join those in flight, because such a run has no turns to wait for. */
export function endPlan(state: RunState, { after, calls = [], end }: PlanEnd): RunState {
  const openCalls = calls.map(
    (call): OpenCall => ({ ...call, status: call.kind === "pause" ? "started" : "asked" }),
  )
  return {
    ...state,
    turn: 1,
    calls: state.calls.append(openCalls),
    tally: openCalls.reduce((tally, call) => changeTally(tally, undefined, call), state.tally),
    callCount: callCountAfter(state, openCalls),
    plan: { ...state.plan!, readResults: after, ...(end && { end }) },
  }
}

export function withResult(plan: PlanState, call: OpenCall, result: CallResult): Partial<RunState> {
  const { id, key = id, child, agent, report } = call
  const text = report?.output ?? result.text
  const { status, partial } = result
  const output = status === "ok" ? text : (partial ?? "")
  const plannedResult = {
    key,
    call: id,
    status,
    text,
    ...(partial !== undefined && { partial }),
    ...(child !== undefined && { child }),
    ...(agent !== undefined && { agent }),
    ...(report && { report }),
    ...(result.limit && { limit: result.limit }),
  }
  return {
    plan: { ...plan, results: plan.results.append(plannedResult) },
    ...(output.trim() !== "" && { lastText: output }),
  }
}
