import type { ToolEnd } from "../log/event.ts"
import { isWorkflowHook } from "../rights/hooks.ts"
import { emptyMoments } from "../state/moment-state.ts"
import type { RunState } from "../state/state.ts"

/** A run activates an agent, whose rules narrow its rights. The model gets the instructions as the call's result. */
export function applyActivation(state: RunState, { activates }: ToolEnd): RunState {
  if (!activates) return state
  const { agent, rights, variables, workflow } = activates
  const start = state.start!
  const next: RunState = {
    ...state,
    // The agent's rules also bind every child that the run starts from now on.
    start: { ...start, rights: [...start.rights, ...rights] },
    rights: [...state.rights, ...rights],
    variables: { ...state.variables, ...variables },
    activated: [...(state.activated ?? []), { agent, ...(workflow !== undefined && { workflow }) }],
    unrepeatable: true,
  }
  if (workflow === undefined) return next
  const { hooks = [], moments = {} } = activates
  const { step: _, ...rest } = next
  const momentState = state.moments ?? emptyMoments
  const otherHooks = Object.entries(momentState.hooks).map(([moment, names]) => [
    moment,
    names.filter((name) => !isWorkflowHook(name)),
  ])
  const hooksByMoment = { ...Object.fromEntries(otherHooks) } as { [moment: string]: readonly string[] }
  for (const [moment, names] of Object.entries(moments))
    hooksByMoment[moment] = [...(hooksByMoment[moment] ?? []), ...names]
  return {
    ...rest,
    hooks: [...state.hooks.filter((name) => !isWorkflowHook(name)), ...hooks],
    moments: { ...momentState, hooks: hooksByMoment },
  }
}
