import type { LifecycleEvent } from "../event-names.ts"

/** The event that a key of `triggers` stands for. */
export type Trigger =
  | { readonly type: "event"; readonly event: LifecycleEvent }
  /** The event never happens here. */
  | { readonly type: "never"; readonly why: string }

const events: Readonly<Record<string, LifecycleEvent>> = {
  // A session of Gobby's is a run, and begins with its task. All three happen at `run_start`, in this order.
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
  on_after_agent: "a run that has answered has ended. Use `on_stop` or `on_session_end`",
  on_before_tool_selection: "a model chooses its tools in its answer",
  on_notification: "there are no notifications",
  on_permission_request: "rules ask a person, not hooks",
  on_pre_compact: "the runtime itself shortens the history",
}

/** Undefined: Gobby has no such event. */
export function findTrigger(key: string): Trigger | undefined {
  if (Object.hasOwn(events, key)) return { type: "event", event: events[key]! }
  return Object.hasOwn(never, key) ? { type: "never", why: never[key]! } : undefined
}

export const triggerNames: readonly string[] = [...Object.keys(events), ...Object.keys(never)]

/** The order of triggers that happen at the same event. */
export const orderOf = (key: string): number => Object.keys(events).indexOf(key)
