import type { ChildStart, HookEnd, ToolEnd } from "../log/event.ts"
import { readFallbackKey } from "../log/id.ts"
import type { Child, ChildReport } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import { findCall, setCall } from "../state/set-call.ts"
import type { RunState } from "../state/state.ts"
import { describeLostHook, writeHookContext, writeHookReport } from "../words/prompt.ts"
import { withVerdict } from "./apply-children.ts"
import { openSpawns } from "./apply-moments.ts"
import { takeStep } from "./apply-step.ts"

/** Folds the events of hooks into the state of a run. */

export function endHooks(state: RunState, event: HookEnd): RunState {
  const fallback = readFallbackKey(event.call)
  if (fallback) return applyEffects(judgeFallback(state, fallback, event), event.call, event)
  const open = findCall(state, event.call)
  const next = setCall(state, event.call, { ...fieldsAfterVerdict(event), hooking: undefined })
  return {
    ...applyEffects(next, event.call, event),
    ...(open && { blocked: event.verdict.type === "block" ? countBlock(state, open, event) : undefined }),
  }
}

/** Applies the effects of hooks that saw the result of a call. */
export function applyAfterHooks(state: RunState, { call, hooks }: ToolEnd): RunState {
  if (!hooks) return state
  const next = applyEffects(state, `${call}:end`, hooks)
  return hooks.spawns ? openSpawns(next, { id: `after_tool:${call}`, moment: "after_tool", ...hooks }) : next
}

function applyEffects(
  state: RunState,
  key: string,
  { variables, context = [], step, warnings }: Pick<HookEnd, "variables" | "context" | "step" | "warnings">,
): RunState {
  const notes = context.map((text, index) => ({
    key: `hook:${key}:${index}`,
    from: "runtime",
    text: writeHookContext(text),
  }))
  const next = {
    ...state,
    ...(variables && { variables: { ...state.variables, ...variables } }),
    ...(notes.length > 0 && { inbox: [...state.inbox, ...notes] }),
    ...(warnings && { warnings: [...(state.warnings ?? []), ...warnings] }),
  }
  return step ? takeStep(next, key, step) : next
}

function fieldsAfterVerdict({ verdict, hook, spawns = [] }: HookEnd): Partial<OpenCall> {
  switch (verdict.type) {
    case "pass":
      return { status: "hooked", spawns }
    case "block":
      return {
        status: "refused",
        reason: verdict.reason,
        blocked: hook === undefined ? {} : { hook },
      }
    case "rewrite":
      return {
        status: "hooked",
        spawns,
        arguments: verdict.arguments,
        ...(verdict.accesses && { accesses: verdict.accesses }),
      }
  }
}

/** A fallback gets the failed task unchanged, or not at all. */
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
        ? "a hook wants other arguments for the call, and a fallback keeps the task as it is"
        : first && `a hook wants ${first.agent} to run first, and a fallback does not wait for other agents`
  const next = { ...state, ...withVerdict(state, fallback, problem) }
  return problem === undefined && spawns.length > 0
    ? openSpawns(next, { id: `after_tool:${call}`, moment: "after_tool", spawns })
    : next
}

function countBlock(
  { blocked }: RunState,
  { tool, arguments: text }: OpenCall,
  { hook }: HookEnd,
): RunState["blocked"] {
  const isSame = blocked?.tool === tool && blocked.arguments === text
  return {
    tool,
    arguments: text,
    count: isSame ? blocked.count + 1 : 1,
    ...(hook !== undefined && { hook }),
  }
}

/** A hook's child has started. The call itself has not: it waits for the child, or goes on beside it. */
export function startHookChild(state: RunState, { call, child, agent, mode, hook }: ChildStart): RunState {
  const fields: Partial<OpenCall> =
    hook?.mode === "background"
      ? { status: "hooked", spawns: remainingSpawns(state, call) }
      : { status: "started", child, agent, mode }
  return setCall(state, call, fields)
}

/** True for the fallback of a child that a hook started beside a call: the call itself does not change. */
export const isBesideCall = ({ children }: RunState, { fallbackOf }: ChildStart): boolean =>
  fallbackOf !== undefined && children.find(({ run }) => run === fallbackOf)?.hook?.mode === "background"

/** The child that a hook wanted first has completed: the call goes on, and the model also gets the child's report. */
export function goOnAfterHookChild(
  state: RunState,
  { run, agent, call }: Child,
  report: ChildReport,
): RunState {
  const tool = findCall(state, call)?.tool ?? ""
  return {
    ...setCall(state, call, { status: "hooked", spawns: remainingSpawns(state, call), child: undefined }),
    inbox: [
      ...state.inbox,
      { key: `${run}:hook`, from: "runtime", text: writeHookReport(tool, { run, agent }, report) },
    ],
  }
}

const remainingSpawns = (state: RunState, call: string): NonNullable<OpenCall["spawns"]> =>
  findCall(state, call)?.spawns?.slice(1) ?? []

/**
 * Refuses a call whose hook command was running when the process died. The command is not run again, and the call does
 * not run without it.
 */
export const refuseLostHook = (call: OpenCall): OpenCall =>
  call.status === "asked" && call.hooking !== undefined
    ? {
        ...call,
        status: "refused",
        reason: describeLostHook(call.hooking),
        blocked: { hook: call.hooking },
      }
    : call
