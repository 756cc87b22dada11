import type { ChildStart, HookEnd, ToolEnd } from "../log/event.ts"
import { readFallbackKey } from "../log/id.ts"
import type { Child, Report } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import { callOf, setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { hookContext, hookLost, hookReport } from "../words/prompt.ts"
import { withJudged } from "./apply-children.ts"
import { openSpawns } from "./apply-moments.ts"
import { takeStep } from "./apply-step.ts"

/** What the events of hooks make of a run. */

export function endHooks(state: RunState, event: HookEnd): RunState {
  const fallback = readFallbackKey(event.call)
  if (fallback) return told(judgeFallback(state, fallback, event), event.call, event)
  const open = callOf(state, event.call)
  const next = setCall(state, event.call, { ...judged(event), hooking: undefined })
  return {
    ...told(next, event.call, event),
    ...(open && { blocked: event.verdict.type === "block" ? blockedAgain(state, open) : undefined }),
  }
}

/** What hooks wanted that saw the result of a call. */
export function seen(state: RunState, { call, hooks }: ToolEnd): RunState {
  if (!hooks) return state
  const next = told(state, `${call}:end`, hooks)
  return hooks.spawns ? openSpawns(next, { id: `after_tool:${call}`, moment: "after_tool", ...hooks }) : next
}

function told(
  state: RunState,
  key: string,
  { variables, context = [], step, warnings }: Pick<HookEnd, "variables" | "context" | "step" | "warnings">,
): RunState {
  const notes = context.map((text, index) => ({
    key: `hook:${key}:${index}`,
    from: "runtime",
    text: hookContext(text),
  }))
  const next = {
    ...state,
    ...(variables && { variables: { ...state.variables, ...variables } }),
    ...(notes.length > 0 && { inbox: [...state.inbox, ...notes] }),
    ...(warnings && { warnings: [...(state.warnings ?? []), ...warnings] }),
  }
  return step ? takeStep(next, key, step) : next
}

function judged({ verdict, spawns = [] }: HookEnd): Partial<OpenCall> {
  switch (verdict.type) {
    case "pass":
      return { status: "hooked", spawns }
    case "block":
      return { status: "refused", reason: verdict.reason }
    case "rewrite":
      return {
        status: "hooked",
        spawns,
        arguments: verdict.arguments,
        ...(verdict.accesses && { accesses: verdict.accesses }),
      }
  }
}

/** Whoever is next gets the task as it is, or does not get it. */
function judgeFallback(
  state: RunState,
  fallback: NonNullable<ReturnType<typeof readFallbackKey>>,
  { call, verdict, spawns = [] }: HookEnd,
): RunState {
  const first = spawns.find(({ mode }) => mode !== "background")
  const problem =
    verdict.type === "block"
      ? verdict.reason
      : verdict.type === "rewrite"
        ? "a hook would have it called otherwise"
        : first && `a hook would have ${first.agent} come first, which nobody waits for here`
  const next = { ...state, ...withJudged(state, fallback, problem) }
  return problem === undefined && spawns.length > 0
    ? openSpawns(next, { id: `after_tool:${call}`, moment: "after_tool", spawns })
    : next
}

function blockedAgain({ blocked }: RunState, { tool, arguments: text }: OpenCall): RunState["blocked"] {
  const isSame = blocked?.tool === tool && blocked.arguments === text
  return { tool, arguments: text, count: isSame ? blocked.count + 1 : 1 }
}

/** A hook's child is there. The call itself has not started: it waits, or goes on beside it. */
export function spawned(state: RunState, { call, child, agent, mode, hook }: ChildStart): RunState {
  const fields: Partial<OpenCall> =
    hook?.mode === "background"
      ? { status: "hooked", spawns: restOf(state, call) }
      : { status: "started", child, agent, mode }
  return setCall(state, call, fields)
}

/** A fallback of whom a hook had work beside a call: the call is where it is. */
export const isBeside = ({ children }: RunState, { fallbackOf }: ChildStart): boolean =>
  fallbackOf !== undefined && children.find(({ run }) => run === fallbackOf)?.hook?.mode === "background"

/** The child that a hook wanted first has completed: the call goes on, and the model is told both. */
export function goOn(state: RunState, { run, agent, call }: Child, report: Report): RunState {
  const tool = callOf(state, call)?.tool ?? ""
  return {
    ...setCall(state, call, { status: "hooked", spawns: restOf(state, call), child: undefined }),
    inbox: [
      ...state.inbox,
      { key: `${run}:hook`, from: "runtime", text: hookReport(tool, { run, agent }, report) },
    ],
  }
}

const restOf = (state: RunState, call: string): NonNullable<OpenCall["spawns"]> =>
  callOf(state, call)?.spawns?.slice(1) ?? []

/** The command of a hook was at work on it when the process died: it is not run again, and the call not without it. */
export const unhooked = (call: OpenCall): OpenCall =>
  call.status === "asked" && call.hooking !== undefined
    ? { ...call, status: "refused", reason: hookLost(call.hooking) }
    : call
