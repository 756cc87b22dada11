import { nearestName } from "../../../ground/errors.ts"

/** What becomes of an action of Gobby's. */
export type GobbyAction =
  /** It is done here. */
  | { readonly type: "done" }
  /** It keeps something from happening by what only Gobby knows: what it would judge is refused. */
  | { readonly type: "gate" }
  /** It keeps nothing from happening: it is passed over, and `cadre check` tells why. */
  | { readonly type: "passed-over"; readonly why: string }

const done: readonly string[] = [
  ...["block", "block_stop", "block_tools", "spawn_agent"],
  ...["set_variable", "increment_variable", "inject_context", "inject_message"],
  ...["load_skill", "rewrite_input", "run", "shell", "bash"],
  ...["track_schema_lookup", "track_discovery_step"],
]

/** What these ask is in `gates.ts`. */
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
  "there are no memories of Gobby's here": [
    ...["memory_extract_from_session", "memory_inject_project_context", "memory_recall_relevant"],
    ...["memory_save", "memory_sync_export", "memory_sync_import", "reset_memory_injection_tracking"],
  ],
  "there are no tasks of Gobby's here": [
    ...["capture_baseline_dirty_files", "get_workflow_tasks", "persist_tasks", "record_task_selection"],
    ...["task_sync_export", "task_sync_import", "update_workflow_task"],
  ],
  "runs have no titles, summaries or handoffs here": [
    ...["extract_handoff_context", "generate_handoff", "generate_summary", "synthesize_title"],
  ],
  "runs are not marked or switched here": [
    ...["mark_loop_complete", "mark_session_status", "start_new_session", "switch_mode"],
  ],
  "the log keeps where a run is": ["load_workflow_state", "save_workflow_state"],
  "the mode of a run is what it was started in": ["detect_plan_mode_from_context"],
  "lists of what is to do are the model's own here (TodoWrite)": ["mark_todo_complete", "write_todos"],
  "a run is stopped with `cadre cancel`": ["check_stop_signal", "clear_stop_signal", "request_stop"],
  "loops are found by the runtime itself": [
    ...["detect_stuck", "detect_task_loop", "get_progress_summary", "record_progress"],
    ...["start_progress_tracking", "stop_progress_tracking"],
  ],
  "no tool of an MCP server is called by a file here. Have an agent do it, with `spawn_agent`": [
    ...["call_mcp_tool", "mcp_call"],
  ],
  "no model is asked by a file here. Have an agent do it, with `spawn_agent`": ["call_llm"],
  "nothing is sent to other programs here. A command can, with `run`": ["webhook"],
  "a pipeline is run by itself, or by the agent that is one": ["run_pipeline"],
  "the lists of the step that it stands in stay": ["end_workflow"],
  "nothing is recorded or shortened besides the log": ["compress_output", "observe"],
}

const actions: ReadonlyMap<string, GobbyAction> = new Map<string, GobbyAction>([
  ...done.map((name) => [name, { type: "done" }] as const),
  ...gateNames.map((name) => [name, { type: "gate" }] as const),
  ...Object.entries(passedOver).flatMap(([why, names]) =>
    names.map((name) => [name, { type: "passed-over", why }] as const),
  ),
])

/** Undefined: Gobby has no such action. */
export const actionNamed = (name: string): GobbyAction | undefined => actions.get(name)

/** What is said of an action that Gobby has not, with those that are done here. */
export function noAction(action: unknown): string {
  const nearest = nearestName(String(action).toLowerCase(), [...actions.keys()])
  const meant = nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`
  return `there is no action ${JSON.stringify(action)}.${meant} Done here: ${done.toSorted().join(", ")}.`
}

/** What an action that is passed over is told as. */
export const notDone = (name: string, why: string): string => `Gobby's \`${name}\` is not done here: ${why}.`
