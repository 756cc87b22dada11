import type { LifecycleEvent } from "../event-names.ts"

/** When what stands under a key of `triggers` is asked. */
export type Trigger =
  | { readonly type: "event"; readonly event: LifecycleEvent }
  /** It never comes here. */
  | { readonly type: "never"; readonly why: string }

const events: Readonly<Record<string, LifecycleEvent>> = {
  // A session is a run, and begins with its task: in this order.
  on_session_start: "run_start",
  on_before_agent: "run_start",
  on_prompt_submit: "run_start",
  on_before_tool: "before_tool",
  on_tool_call: "before_tool",
  on_after_tool: "after_tool",
  on_tool_result: "after_tool",
  on_before_model: "before_model",
  on_after_model: "after_model",
  on_subagent_start: "before_spawn",
  on_subagent_stop: "after_spawn",
  on_stop: "stop",
  on_session_end: "run_end",
}

const never: Readonly<Record<string, string>> = {
  on_after_agent: "a run that has answered has ended. `on_stop` and `on_session_end` come then",
  on_before_tool_selection: "models choose their tools with their answer",
  on_notification: "there are no notifications",
  on_permission_request: "a person is asked by the rules, and not by hooks",
  on_pre_compact: "what was read and said is made shorter by the runtime itself",
}

/** Undefined: Gobby has no such event. */
export function triggerOf(key: string): Trigger | undefined {
  if (Object.hasOwn(events, key)) return { type: "event", event: events[key]! }
  return Object.hasOwn(never, key) ? { type: "never", why: never[key]! } : undefined
}

export const triggerNames: readonly string[] = [...Object.keys(events), ...Object.keys(never)]

/** Those at one event in the order in which they come. */
export const orderOf = (key: string): number => Object.keys(events).indexOf(key)
