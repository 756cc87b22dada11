import { isMap, type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import { readMcpCall } from "../mcp-call.ts"

/** The ways in which Gobby records ended calls, in variables that its conditions read. */
export const trackingActions = [
  "mcp_call_tracking",
  "task_claim_tracking",
  "track_discovery_step",
  "track_schema_lookup",
] as const

export type Tracking = (typeof trackingActions)[number]

/** The variables that each of them sets. */
export const trackedVariables: Readonly<Record<Tracking, readonly string[]>> = {
  mcp_call_tracking: ["mcp_calls", "mcp_results"],
  task_claim_tracking: ["claimed_task_id", "session_had_task", "task_claimed"],
  track_discovery_step: ["listed_servers", "servers_listed"],
  track_schema_lookup: ["unlocked_tools"],
}

/** The variables that an ended call sets. Only successful calls count, because these variables open gates. */
export function trackCall(what: Tracking, offered: JsonMap): JsonMap {
  const { tool_name, status, result } = offered
  const input = mapOf(offered.tool_input ?? null)
  const variables = mapOf(offered.variables ?? null)
  const answer = typeof result === "string" ? dataIn(result) : null
  if (typeof tool_name !== "string" || status !== "ok" || saysError(answer)) return {}
  const call = { tool: tool_name, input, answer }
  switch (what) {
    case "mcp_call_tracking":
      return mcpCalls(call, variables)
    case "task_claim_tracking":
      return taskClaim(call)
    case "track_discovery_step":
      return discovery(call, variables)
    case "track_schema_lookup":
      return schemaLookup(call, variables)
  }
}

interface Call {
  readonly tool: string
  readonly input: JsonMap
  readonly answer: Json
}

function mcpCalls({ tool, input, answer }: Call, variables: JsonMap): JsonMap {
  const mcp = readMcpCall(tool, input)
  if (!mcp) return {}
  const [calls, results] = [mapOf(variables.mcp_calls ?? null), mapOf(variables.mcp_results ?? null)]
  const { result = null } = mapOf(answer)
  return {
    mcp_calls: { ...calls, [mcp.server]: added(calls[mcp.server], mcp.tool) },
    mcp_results: {
      ...results,
      [mcp.server]: { ...mapOf(results[mcp.server] ?? null), [mcp.tool]: shortenResult(result) },
    },
  }
}

function taskClaim({ tool, input, answer }: Call): JsonMap {
  const mcp = readMcpCall(tool, input)
  if (mcp?.server !== "gobby-tasks") return {}
  if (mcp.tool === "close_task") return { task_claimed: false, claimed_task_id: null }
  const toolArguments = mcp.through ? mapOf(input.arguments ?? null) : input
  const isClaim =
    mcp.tool === "claim_task" || (mcp.tool === "update_task" && toolArguments.status === "in_progress")
  const task =
    mcp.tool === "create_task"
      ? mapOf(mapOf(answer).result ?? null).id
      : isClaim
        ? toolArguments.task_id
        : undefined
  return typeof task === "string" && task !== ""
    ? { task_claimed: true, claimed_task_id: task, session_had_task: true }
    : {}
}

function discovery({ tool, input }: Call, variables: JsonMap): JsonMap {
  if (isOf(tool, "list_mcp_servers")) return { servers_listed: true }
  const server = input.server ?? input.server_name
  if (!isOf(tool, "list_tools") || typeof server !== "string" || server === "") return {}
  return { listed_servers: added(variables.listed_servers, server) }
}

function schemaLookup({ tool, input }: Call, variables: JsonMap): JsonMap {
  const [server, toolName] = [input.server_name ?? input.server, input.tool_name ?? input.tool]
  if (!isOf(tool, "get_tool_schema") || typeof server !== "string" || typeof toolName !== "string") return {}
  return { unlocked_tools: added(variables.unlocked_tools, `${server}:${toolName}`) }
}

const isOf = (tool: string, name: string): boolean => tool === name || tool === `mcp__gobby__${name}`

const added = (list: Json | undefined, item: string): Json => {
  const items = Array.isArray(list) ? (list as readonly Json[]) : []
  return items.includes(item) ? items : [...items, item]
}

/** Variables are read before every call, so a long result is replaced by a note. */
const shortenResult = (result: Json): Json =>
  JSON.stringify(result).length > 4_000 ? "(too long to be kept)" : result

/** True if an answer is an error by Gobby's conventions. */
const saysError = (answer: Json): boolean => {
  const { error, status, success, result } = mapOf(answer)
  return Boolean(error) || status === "error" || success === false || (isMap(result) && Boolean(result.error))
}

function dataIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
