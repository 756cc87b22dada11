import path from "node:path"
import { type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import { readMcpCall } from "../mcp-call.ts"

/** The values that hooks can read, under Gobby's names. Our names override its variables, and `event` is Gobby's. */
export function toGobbyNames(
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
    // In Gobby's rules, `event` is the data itself; elsewhere it has them as `event.data`.
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
    // There are no tasks of Gobby's here, so none has commits.
    task_has_commits: false,
    tool_args: offered.tool_input ?? null,
    workflow_state: state,
  }
}

/** The keys of an event's data. `trigger` belongs to compaction in Gobby and is never set here. */
const dataKeys = [
  ...["cwd", "prompt", "source", "tool_name", "tool_input"],
  ...["mcp_server", "mcp_tool", "tool_output", "is_failure", "trigger"],
]

/** The only keys of these records. A gate that reads another key would never block. */
export const fixedRecords: Readonly<Record<string, readonly string[]>> = {
  event: ["data", "event_type", ...dataKeys],
  "event.data": dataKeys,
  event_data: dataKeys,
  project: ["name", "id"],
  session: ["id", "title"],
  state: ["variables", "step", "session_id"],
  workflow_state: ["variables", "step", "session_id"],
}

/** The name of an event in Gobby, whose sessions are our runs. */
const eventType = (event: Json | undefined): Json =>
  typeof event === "string" ? (eventTypes[event] ?? event) : null

const eventTypes: Readonly<Record<string, string>> = {
  run_start: "session_start",
  run_end: "session_end",
  before_spawn: "subagent_start",
  after_spawn: "subagent_stop",
}

/** Tools and the input of hooks have Claude Code's names here, so runs count as its sessions. */
const source = "claude"

function dataOf(offered: JsonMap, cwd: string): JsonMap {
  const { event, tool_name, tool_input, result, status, task, continues } = offered
  const mcp = typeof tool_name === "string" ? readMcpCall(tool_name, mapOf(tool_input ?? null)) : undefined
  return {
    cwd,
    prompt: task ?? null,
    ...(event === "run_start" && { source: continues == null ? "startup" : "resume" }),
    ...(tool_name != null && { tool_name, tool_input: tool_input ?? {} }),
    ...(mcp && { mcp_server: mcp.server, mcp_tool: mcp.tool }),
    ...(status != null && { tool_output: result ?? null, is_failure: status !== "ok" }),
  }
}

/** The arguments of a tool that is called through a proxy. A model may have written them as a JSON text. */
function argumentsOnServer({ tool_input = null }: JsonMap): Json {
  const { arguments: serverArguments } = mapOf(tool_input)
  const inner = typeof serverArguments === "string" ? parsed(serverArguments) : mapOf(serverArguments ?? null)
  return Object.keys(inner).length > 0 ? inner : tool_input
}

function parsed(text: string): JsonMap {
  try {
    return mapOf(JSON.parse(text) as Json)
  } catch {
    return {}
  }
}
