import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { isCallEvent, type LifecycleEvent } from "./event-names.ts"
import type { HookEffect } from "./hook.ts"

/** Finds effects that can do nothing at their event. */
export const findUnfitEffects = (
  event: LifecycleEvent,
  effects: readonly HookEffect[],
): readonly PlacedProblem[] =>
  effects.flatMap(({ type }) => {
    const message = why(event, type, effects)
    return message === undefined ? [] : [{ path: [type], message: `\`${type}\` ${message}` }]
  })

function why(
  event: LifecycleEvent,
  type: HookEffect["type"],
  effects: readonly HookEffect[],
): string | undefined {
  if (event === "after_tool" && type === "rewrite_input")
    return "comes too late at after_tool: the call has run."
  if (type === "rewrite_input" && !isCallEvent(event))
    return `has nothing to rewrite at ${event}: there is no call.`
  if (event === "run_end" && type !== "run" && type !== "set_variable")
    return "comes too late at run_end: the outcome of the run is decided, and its model is not called again. Put it at stop."
  const isTold = type === "inject_context" || type === "load_skill"
  if (event === "stop" && isTold && !effects.some((other) => other.type === "block" || other.type === "run"))
    return "has no effect at stop by itself, because the run ends. Add `block`, which keeps the run going with a reason."
  return undefined
}
