import type { ChildStart } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { LackBelow } from "../log/event-rights.ts"
import { SharedList } from "../log/list.ts"
import type { Child } from "../state/child.ts"
import { findCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { toTried } from "../words/prompt.ts"

type Children = Pick<RunState, "children" | "failed">

/** True if another agent may try the task: the run was not stopped, and left no effect uncertain. */
export const mayTryFallback = ({ type }: RunOutcome): boolean =>
  type === "failed" || type === "timed-out" || type === "no-output" || type === "loop"

/** Adds a child. A fallback takes the place of the child that failed. */
export function withChild(state: RunState, event: ChildStart): Children {
  const { child: run, call, agent, mode, hook, fallback, fallbackOf, lacks } = event
  const child = { run, call, agent, mode, ...(hook && { hook }), ...(lacks && { lacks }), resting: false }
  if (fallbackOf !== undefined) return replaceChild(state, child, event)
  if (!fallback) return { children: state.children.append(child) }
  // An agent that a hook starts is judged like a called agent.
  const tool = hook ? "Agent" : (findCall(state, call)?.tool ?? "")
  const { timeout } = event
  const next = { tool, next: fallback, tried: [], ...(timeout !== undefined && { timeout }) }
  return { children: state.children.append({ ...child, fallback: next }) }
}

function replaceChild(
  state: RunState,
  child: Child,
  { fallbackOf, fallback, skipped = [] }: ChildStart,
): Children {
  const failedChild = state.children.find(({ run }) => run === fallbackOf)
  if (!failedChild?.fallback || !failedChild.failed) return { children: state.children.append(child) }
  const tried = [
    ...failedChild.fallback.tried,
    toTried(failedChild, failedChild.failed.report.outcome),
    ...skipped,
  ]
  const { children, ...rest } = withoutChild(state, failedChild)
  return {
    ...rest,
    children: children.append({
      ...child,
      ...(failedChild.hook && { hook: failedChild.hook }),
      fallback: { ...failedChild.fallback, next: fallback ?? [], tried },
      fallbackOf: failedChild.run,
    }),
  }
}

export const withoutChild = (state: RunState, child: Child): Children => ({
  children: SharedList.of([...state.children].filter((other) => other !== child)),
  ...(state.failed && { failed: without(state.failed, child.run) }),
})

/** A failed child stays until a fallback has its task, or no fallback is left. */
export const withFailed = (
  state: RunState,
  child: Child,
  failed: NonNullable<Child["failed"]>,
): Children => ({
  children: SharedList.of(
    [...state.children].map((other) => (other === child ? { ...child, resting: false, failed } : other)),
  ),
  failed: [...(state.failed ?? []), child.run],
})

/** Records the hooks' verdict on a fallback of a failed child; without an agent, on all fallbacks that remain. */
export const withVerdict = (
  { children }: RunState,
  { run, agent }: { readonly run: string; readonly agent?: string },
  problem: string | undefined,
): Pick<RunState, "children"> => ({
  children: SharedList.of(
    [...children].map((child) => {
      if (child.run !== run) return child
      const agents = agent === undefined ? (child.fallback?.next ?? []) : [agent]
      const otherVerdicts = child.judged?.filter((one) => !agents.includes(one.agent)) ?? []
      const verdicts = agents.map((name) => ({ agent: name, ...(problem !== undefined && { problem }) }))
      return { ...child, judged: [...otherVerdicts, ...verdicts] }
    }),
  ),
})

/** Adds the tools that children lack. Equal entries are kept once. */
export function withLacks(
  earlierLacks: readonly LackBelow[] | undefined,
  newLacks: readonly LackBelow[],
): Pick<RunState, "lacksBelow"> {
  const all = [...(earlierLacks ?? []), ...newLacks]
  const texts = all.map((one) => JSON.stringify(one))
  return { lacksBelow: all.filter((_, index) => texts.indexOf(texts[index]!) === index) }
}

const without = (runs: readonly string[], run: string): readonly string[] | undefined => {
  const remaining = runs.filter((other) => other !== run)
  return remaining.length > 0 ? remaining : undefined
}
