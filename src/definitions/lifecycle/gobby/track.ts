import { isMap, type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import { mcpCallOf } from "../mcp-call.ts"

/** What Gobby notes of calls that have ended, in variables that its conditions look at. */
export const tracking = [
  "mcp_call_tracking",
  "task_claim_tracking",
  "track_discovery_step",
  "track_schema_lookup",
] as const

export type Tracking = (typeof tracking)[number]

/** The variables that each of them sets. */
export const trackedVariables: Readonly<Record<Tracking, readonly string[]>> = {
  mcp_call_tracking: ["mcp_calls", "mcp_results"],
  task_claim_tracking: ["claimed_task_id", "session_had_task", "task_claimed"],
  track_discovery_step: ["listed_servers", "servers_listed"],
  track_schema_lookup: ["unlocked_tools"],
}

/** What a call that has ended adds to the variables. Only what worked counts: these open gates. */
export function tracked(what: Tracking, offered: JsonMap): JsonMap {
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
  const mcp = mcpCallOf(tool, input)
  if (!mcp) return {}
  const [calls, results] = [mapOf(variables.mcp_calls ?? null), mapOf(variables.mcp_results ?? null)]
  const { result = null } = mapOf(answer)
  return {
    mcp_calls: { ...calls, [mcp.server]: added(calls[mcp.server], mcp.tool) },
    mcp_results: {
      ...results,
      [mcp.server]: { ...mapOf(results[mcp.server] ?? null), [mcp.tool]: kept(result) },
    },
  }
}

function taskClaim({ tool, input, answer }: Call): JsonMap {
  const mcp = mcpCallOf(tool, input)
  if (mcp?.server !== "gobby-tasks") return {}
  if (mcp.tool === "close_task") return { task_claimed: false, claimed_task_id: null }
  const given = mcp.through ? mapOf(input.arguments ?? null) : input
  const isClaim = mcp.tool === "claim_task" || (mcp.tool === "update_task" && given.status === "in_progress")
  const task =
    mcp.tool === "create_task" ? mapOf(mapOf(answer).result ?? null).id : isClaim ? given.task_id : undefined
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
  const [server, named] = [input.server_name ?? input.server, input.tool_name ?? input.tool]
  if (!isOf(tool, "get_tool_schema") || typeof server !== "string" || typeof named !== "string") return {}
  return { unlocked_tools: added(variables.unlocked_tools, `${server}:${named}`) }
}

const isOf = (tool: string, name: string): boolean => tool === name || tool === `mcp__gobby__${name}`

const added = (list: Json | undefined, item: string): Json => {
  const known = Array.isArray(list) ? (list as readonly Json[]) : []
  return known.includes(item) ? known : [...known, item]
}

/** Variables are read before every call: of a long result it is only kept that there was one. */
const kept = (result: Json): Json =>
  JSON.stringify(result).length > 4_000 ? "(too long to be kept)" : result

/** As Gobby tells an answer that is none. */
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
