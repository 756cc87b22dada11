import type { ToolEnd } from "../log/event.ts"
import { isWorkflowHook } from "../rights/hooks.ts"
import { noMoments } from "../state/moment-state.ts"
import type { RunState } from "../state/state.ts"

/** A run has taken on an agent: what it may do is less, what it is told comes as the result of the call. */
export function takeOn(state: RunState, { activates }: ToolEnd): RunState {
  if (!activates) return state
  const { agent, rights, variables, workflow } = activates
  const start = state.start!
  const next: RunState = {
    ...state,
    // Whatever it starts from here on is bound by it, too.
    start: { ...start, rights: [...start.rights, ...rights] },
    rights: [...state.rights, ...rights],
    variables: { ...state.variables, ...variables },
    activated: [...(state.activated ?? []), { agent, ...(workflow !== undefined && { workflow }) }],
    unrepeatable: true,
  }
  if (workflow === undefined) return next
  const { hooks = [], moments = {} } = activates
  const { step: _, ...rest } = next
  const before = state.moments ?? noMoments
  const others = Object.entries(before.hooks).map(([moment, names]) => [
    moment,
    names.filter((name) => !isWorkflowHook(name)),
  ])
  const asked = { ...Object.fromEntries(others) } as { [moment: string]: readonly string[] }
  for (const [moment, names] of Object.entries(moments)) asked[moment] = [...(asked[moment] ?? []), ...names]
  return {
    ...rest,
    hooks: [...state.hooks.filter((name) => !isWorkflowHook(name)), ...hooks],
    moments: { ...before, hooks: asked },
  }
}
