import type { ChildStart } from "../log/event.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { LackBelow } from "../log/event-rights.ts"
import { List } from "../log/list.ts"
import type { Child } from "../state/child.ts"
import { callOf } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { triedOf } from "../words/prompt.ts"

type Children = Pick<RunState, "children" | "failed">

/** Whether another agent might do what this one did not: nobody stopped it, and nothing was left uncertain. */
export const mayFallBack = ({ type }: Outcome): boolean =>
  type === "failed" || type === "timed-out" || type === "no-output" || type === "loop"

/** With a new child; a fallback takes the place of the one that failed. */
export function withChild(state: RunState, event: ChildStart): Children {
  const { child: run, call, agent, mode, hook, fallback, fallbackOf, lacks } = event
  const child = { run, call, agent, mode, ...(hook && { hook }), ...(lacks && { lacks }), resting: false }
  if (fallbackOf !== undefined) return replaced(state, child, event)
  if (!fallback) return { children: state.children.append(child) }
  // Whom a hook hands work to is judged like whom a call does.
  const tool = hook ? "Agent" : (callOf(state, call)?.tool ?? "")
  const { timeout } = event
  const next = { tool, next: fallback, tried: [], ...(timeout !== undefined && { timeout }) }
  return { children: state.children.append({ ...child, fallback: next }) }
}

function replaced(
  state: RunState,
  child: Child,
  { fallbackOf, fallback, skipped = [] }: ChildStart,
): Children {
  const before = state.children.find(({ run }) => run === fallbackOf)
  if (!before?.fallback || !before.failed) return { children: state.children.append(child) }
  const tried = [...before.fallback.tried, triedOf(before, before.failed.report.outcome), ...skipped]
  const { children, ...rest } = withoutChild(state, before)
  return {
    ...rest,
    children: children.append({
      ...child,
      ...(before.hook && { hook: before.hook }),
      fallback: { ...before.fallback, next: fallback ?? [], tried },
      fallbackOf: before.run,
    }),
  }
}

export const withoutChild = (state: RunState, child: Child): Children => ({
  children: List.of([...state.children].filter((other) => other !== child)),
  ...(state.failed && { failed: without(state.failed, child.run) }),
})

/** It has ended, and stays until somebody else has its task or nobody is left. */
export const withFailed = (
  state: RunState,
  child: Child,
  failed: NonNullable<Child["failed"]>,
): Children => ({
  children: List.of(
    [...state.children].map((other) => (other === child ? { ...child, resting: false, failed } : other)),
  ),
  failed: [...(state.failed ?? []), child.run],
})

/** Of an agent that is to get the task of one that failed; where it is not said of whom, of all that are left. */
export const withJudged = (
  { children }: RunState,
  { run, agent }: { readonly run: string; readonly agent?: string },
  problem: string | undefined,
): Pick<RunState, "children"> => ({
  children: List.of(
    [...children].map((child) => {
      if (child.run !== run) return child
      const agents = agent === undefined ? (child.fallback?.next ?? []) : [agent]
      const others = child.judged?.filter((one) => !agents.includes(one.agent)) ?? []
      const judged = agents.map((name) => ({ agent: name, ...(problem !== undefined && { problem }) }))
      return { ...child, judged: [...others, ...judged] }
    }),
  ),
})

/** With what children go without, once for each agent that goes without the same. */
export function withLacks(
  known: readonly LackBelow[] | undefined,
  found: readonly LackBelow[],
): Pick<RunState, "lacksBelow"> {
  const all = [...(known ?? []), ...found]
  const texts = all.map((one) => JSON.stringify(one))
  return { lacksBelow: all.filter((_, index) => texts.indexOf(texts[index]!) === index) }
}

const without = (runs: readonly string[], run: string): readonly string[] | undefined => {
  const left = runs.filter((other) => other !== run)
  return left.length > 0 ? left : undefined
}
