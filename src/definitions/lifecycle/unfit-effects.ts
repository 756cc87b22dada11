import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { isCallEvent, type LifecycleEvent } from "./event-names.ts"
import type { HookEffect } from "./hook.ts"

/** Effects that could do nothing at their event. */
export const unfitEffects = (
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
    return "comes too late at run_end: it is settled how the run ends, and nobody is told any more. It can stand at stop."
  const isTold = type === "inject_context" || type === "load_skill"
  if (event === "stop" && isTold && !effects.some((other) => other.type === "block" || other.type === "run"))
    return "tells nobody at stop by itself: `block` lets the run go on, with a reason."
  return undefined
}
