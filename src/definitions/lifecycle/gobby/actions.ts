import { findNearestName } from "../../../ground/errors.ts"

/** The treatment of an action of Gobby's. */
export type GobbyAction =
  /** cadre supports it. */
  | { readonly type: "done" }
  /** It is a gate that depends on data only Gobby has, so everything that it would judge is refused. */
  | { readonly type: "gate" }
  /** It blocks nothing, so it is skipped, and `cadre check` tells why. */
  | { readonly type: "passed-over"; readonly why: string }

const done: readonly string[] = [
  ...["block", "block_stop", "block_tools", "spawn_agent"],
  ...["set_variable", "increment_variable", "inject_context", "inject_message"],
  ...["load_skill", "rewrite_input", "run", "shell", "bash"],
  ...["track_schema_lookup", "track_discovery_step"],
]

/** Actions that are gates. `gates.ts` says when each of them blocks. */
export const gateNames = [
  "memory_extraction_gate",
  "memory_review_gate",
  "require_active_task",
  "require_commit_before_stop",
  "require_task_complete",
  "require_task_review_or_close_before_stop",
  "validate_session_task_scope",
] as const

const passedOver: Readonly<Record<string, readonly string[]>> = {
  "cadre has no memories like Gobby's": [
    ...["memory_extract_from_session", "memory_inject_project_context", "memory_recall_relevant"],
    ...["memory_save", "memory_sync_export", "memory_sync_import", "reset_memory_injection_tracking"],
  ],
  "cadre has no tasks like Gobby's": [
    ...["capture_baseline_dirty_files", "get_workflow_tasks", "persist_tasks", "record_task_selection"],
    ...["task_sync_export", "task_sync_import", "update_workflow_task"],
  ],
  "runs have no titles, summaries or handoffs here": [
    ...["extract_handoff_context", "generate_handoff", "generate_summary", "synthesize_title"],
  ],
  "runs cannot be marked or switched here": [
    ...["mark_loop_complete", "mark_session_status", "start_new_session", "switch_mode"],
  ],
  "the log records the step of a run": ["load_workflow_state", "save_workflow_state"],
  "a run keeps the mode in which it was started": ["detect_plan_mode_from_context"],
  "the model keeps its own list of tasks here (TodoWrite)": ["mark_todo_complete", "write_todos"],
  "`cadre cancel` stops a run": ["check_stop_signal", "clear_stop_signal", "request_stop"],
  "the runtime itself detects loops": [
    ...["detect_stuck", "detect_task_loop", "get_progress_summary", "record_progress"],
    ...["start_progress_tracking", "stop_progress_tracking"],
  ],
  "a file cannot call a tool of an MCP server here. Let an agent do it, with `spawn_agent`": [
    ...["call_mcp_tool", "mcp_call"],
  ],
  "a file cannot call a model here. Let an agent do it, with `spawn_agent`": ["call_llm"],
  "a file cannot send data to other programs here. A command can, with `run`": ["webhook"],
  "a pipeline runs only as an agent of its own": ["run_pipeline"],
  "the tool lists of the current step stay in effect": ["end_workflow"],
  "only the log records what happens, and nothing is shortened": ["compress_output", "observe"],
}

const actions: ReadonlyMap<string, GobbyAction> = new Map<string, GobbyAction>([
  ...done.map((name) => [name, { type: "done" }] as const),
  ...gateNames.map((name) => [name, { type: "gate" }] as const),
  ...Object.entries(passedOver).flatMap(([why, names]) =>
    names.map((name) => [name, { type: "passed-over", why }] as const),
  ),
])

/** Undefined: Gobby has no such action. */
export const findAction = (name: string): GobbyAction | undefined => actions.get(name)

/** The message for an unknown action, with the actions that cadre supports. */
export function describeUnknownAction(action: unknown): string {
  const nearest = findNearestName(String(action).toLowerCase(), [...actions.keys()])
  const meant = nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`
  return `there is no action ${JSON.stringify(action)}.${meant} Supported: ${done.toSorted().join(", ")}.`
}

/** The message for an action that is skipped. */
export const describeUnsupportedAction = (name: string, why: string): string =>
  `Gobby's \`${name}\` is not supported here: ${why}.`
