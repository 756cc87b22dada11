import path from "node:path"
import { type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import { mcpCallOf } from "../mcp-call.ts"

/** What is known where a hook is asked, in the words of Gobby's files: its own stand under ours, and `event` is theirs. */
export function inGobbysWords(
  offered: JsonMap,
  { cwd, arguments: of }: { readonly cwd: string; readonly arguments?: "of-server" },
): JsonMap {
  const variables = mapOf(offered.variables ?? null)
  const data = dataOf(offered, cwd)
  const state = { variables, step: offered.step ?? null, session_id: offered.run ?? null }
  return {
    ...variables,
    ...offered,
    ...(of === "of-server" && { tool_input: argumentsOnServer(offered) }),
    // In a rule the event is its data; elsewhere it has them.
    event: { ...data, data, source: { value: source }, event_type: eventType(offered.event), cwd },
    event_data: data,
    handoff: variables,
    plan_mode: variables.plan_mode ?? false,
    project: { name: path.basename(cwd), id: null },
    session: { id: offered.run ?? null, title: null },
    session_id: offered.run ?? null,
    source,
    state,
    task_claimed: variables.task_claimed ?? false,
    // There is no task of Gobby's that could have any.
    task_has_commits: false,
    tool_args: offered.tool_input ?? null,
    workflow_state: state,
  }
}

/** Gobby has a `trigger` where it compacts, which it does nothing about here. */
const dataKeys = [
  ...["cwd", "prompt", "source", "tool_name", "tool_input"],
  ...["mcp_server", "mcp_tool", "tool_output", "is_failure", "trigger"],
]

/** What conditions find in these, and nothing else: a gate that asks for more would never hold. */
export const fixedRecords: Readonly<Record<string, readonly string[]>> = {
  event: ["data", "event_type", ...dataKeys],
  "event.data": dataKeys,
  event_data: dataKeys,
  project: ["name", "id"],
  session: ["id", "title"],
  state: ["variables", "step", "session_id"],
  workflow_state: ["variables", "step", "session_id"],
}

/** Gobby's sessions are our runs. */
const eventType = (event: Json | undefined): Json =>
  typeof event === "string" ? (eventTypes[event] ?? event) : null

const eventTypes: Readonly<Record<string, string>> = {
  run_start: "session_start",
  run_end: "session_end",
  before_spawn: "subagent_start",
  after_spawn: "subagent_stop",
}

/** Tools have Claude Code's names here, and hooks on its input Claude Code's words. */
const source = "claude"

function dataOf(offered: JsonMap, cwd: string): JsonMap {
  const { event, tool_name, tool_input, result, status, task, continues } = offered
  const mcp = typeof tool_name === "string" ? mcpCallOf(tool_name, mapOf(tool_input ?? null)) : undefined
  return {
    cwd,
    prompt: task ?? null,
    ...(event === "run_start" && { source: continues == null ? "startup" : "resume" }),
    ...(tool_name != null && { tool_name, tool_input: tool_input ?? {} }),
    ...(mcp && { mcp_server: mcp.server, mcp_tool: mcp.tool }),
    ...(status != null && { tool_output: result ?? null, is_failure: status !== "ok" }),
  }
}

/** Of a tool that a proxy calls, what that is given; a model may have written it as a text. */
function argumentsOnServer({ tool_input = null }: JsonMap): Json {
  const { arguments: given } = mapOf(tool_input)
  const inner = typeof given === "string" ? parsed(given) : mapOf(given ?? null)
  return Object.keys(inner).length > 0 ? inner : tool_input
}

function parsed(text: string): JsonMap {
  try {
    return mapOf(JSON.parse(text) as Json)
  } catch {
    return {}
  }
}
