import { type JsonMap, mapOf } from "../../../ground/message.ts"
import type { Condition } from "../../../language/expression/condition.ts"
import { parseCondition } from "../../../language/expression/condition.ts"
import { parseTemplate, type Template } from "../../../language/template/index.ts"
import type { LifecycleEvent } from "../event-names.ts"
import type { LifecycleHook } from "../hook.ts"
import type { gateNames } from "./actions.ts"

/** A gate of Gobby's as a hook: at these events, if the condition holds, it blocks. */
export interface GobbyGate extends Pick<LifecycleHook, "tools" | "mcpTools"> {
  readonly events: readonly LifecycleEvent[]
  readonly when?: Condition
  readonly reason: Template
}

export const compileGobbyGate = (name: (typeof gateNames)[number], entry: JsonMap): GobbyGate =>
  gates[name](name, entry)

/** The keys that each gate may have besides `action` and `when`. */
export const gateKeys: Readonly<Record<(typeof gateNames)[number], readonly string[]>> = {
  memory_extraction_gate: [],
  memory_review_gate: [],
  require_active_task: [],
  require_commit_before_stop: [],
  require_task_complete: ["task_id"],
  require_task_review_or_close_before_stop: [],
  validate_session_task_scope: [],
}

type Making = (name: string, entry: JsonMap) => GobbyGate

const ofTask: Making = (name) => ({
  events: ["stop"],
  when: condition("variables.claimed_task_id"),
  reason: template(
    `The gate \`${name}\` blocks the end of the run: only Gobby knows the state of the task {{ variables.claimed_task_id }}, and cadre cannot ask Gobby. Set \`claimed_task_id\` to null once the task is closed.`,
  ),
})

const ofMemories =
  (when: string): Making =>
  (name) => ({
    events: ["stop"],
    when: condition(when),
    reason: template(
      `The gate \`${name}\` blocks the end of the run: it needs Gobby's memories, which cadre cannot read.`,
    ),
  })

const gates: Readonly<Record<(typeof gateNames)[number], Making>> = {
  memory_extraction_gate: ofMemories("not variables.memories_extracted"),
  memory_review_gate: ofMemories("variables.pending_memory_review"),
  require_commit_before_stop: ofTask,
  require_task_review_or_close_before_stop: ofTask,
  require_active_task: () => ({
    events: ["before_tool"],
    tools: ["Edit", "Write", "ApplyPatch", "NotebookEdit"],
    when: condition(
      "variables.require_task_before_edit != false and not variables.plan_mode and not variables.task_claimed",
    ),
    reason: template(
      "Create or claim a task before you edit files. The caller of the run can also set the variable `task_claimed`.",
    ),
  }),
  require_task_complete: (name, { task_id = null }) => {
    const [, variable] = /^\s*\{\{\s*variables\.(\w+)\s*\}\}\s*$/.exec(String(task_id)) ?? []
    const isNothing = task_id === null || task_id === "" || (Array.isArray(task_id) && task_id.length === 0)
    return {
      events: ["stop"],
      when: condition(variable === undefined ? String(!isNothing) : `variables.${variable}`),
      reason: template(
        `The gate \`${name}\` blocks the end of the run: only Gobby knows whether its task is complete, and cadre cannot ask Gobby.`,
      ),
    }
  },
  validate_session_task_scope: (name) => ({
    events: ["before_tool"],
    mcpTools: ["gobby-tasks:claim_task", "gobby-tasks:update_task"],
    when: condition("variables.session_task and variables.session_task != '*'"),
    reason: template(
      `The gate \`${name}\` blocks this call: only Gobby knows whether the task belongs to the task {{ variables.session_task }}, and cadre cannot ask Gobby.`,
    ),
  }),
}

/** Parses a condition of this file. An invalid one is a bug, so it throws. */
function condition(text: string): Condition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") throw new Error(parsed.problem.message)
  return parsed
}

function template(text: string): Template {
  const parsed = parseTemplate(text)
  if (parsed.type === "invalid") throw new Error(parsed.problem.message)
  return parsed
}

/** True if a key of `mcp_call` makes it a gate. */
export const isGatingCall = (entry: JsonMap): boolean =>
  ["block_on_failure", "block_on_success"].some((key) => Boolean(mapOf(entry)[key]))
