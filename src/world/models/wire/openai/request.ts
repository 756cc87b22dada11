import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import { quoteJson } from "../json.ts"
import { mergeParameters, type Parameters, type RequestHead, readTokens } from "../parameters.ts"
import type { StrictTools } from "../strict-tools.ts"
import { type ChatHistoryOptions, createHistoryWriter } from "./history.ts"
import { chatLimitParameters, reservedChatParameters } from "./names.ts"

export interface OpenAiRequestOptions extends ChatHistoryOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** The parameter for the limit on a reply, if `parameters` names none. */
  readonly limitName: "max_tokens" | "max_completion_tokens"
  readonly strict: StrictTools
  /** `asked`: the request asks for the usage at the end of a stream. Some servers refuse that. */
  readonly usage: "asked" | "unasked"
  /** Makes the key for the provider's cache, if the provider accepts one. */
  readonly cacheKey?: (request: ModelRequest) => string
}

/**
 * Writes request bodies. Every turn sends the whole history again, so the bytes of each message are cached while the
 * message lives. The bytes of the system prompt and tools are cached with the array of tools. A turn then costs its new
 * messages and one copy. The order (tools, system, messages) never changes, so that providers' caches hit.
 */
export function createOpenAiWriter(options: OpenAiRequestOptions): (request: ModelRequest) => Buffer {
  const defaultSettings = settingsFrom(options, options.parameters)
  const heads = new WeakMap<readonly OfferedTool[], RequestHead<Settings>>()
  const history = createHistoryWriter(options)

  function headOf({ system, tools, parameters, effort }: ModelRequest): RequestHead<Settings> {
    const settings =
      parameters === undefined && effort === undefined
        ? defaultSettings
        : requestSettings(options, parameters, effort)
    const toolsPart =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, options.strict)}`
    const bytes = Buffer.from(`{${settings.plain}${toolsPart},"messages":[${systemText(system)}`)
    return { system, parameters, effort, settings, bytes }
  }

  return (request) => {
    const { system, tools, messages, maxOutputTokens } = request
    let head = heads.get(tools)
    if (head?.system !== system || head.parameters !== request.parameters || head.effort !== request.effort) {
      head = headOf(request)
      heads.set(tools, head)
    }
    const parts = [head.bytes]
    history(parts, messages, request)
    if (system === "" && parts[1]) parts[1] = parts[1].subarray(1)
    const { limit, limitName } = head.settings
    const bound = Math.min(limit, maxOutputTokens ?? Number.POSITIVE_INFINITY)
    const limitPart = bound === Number.POSITIVE_INFINITY ? "" : `,"${limitName}":${bound}`
    const key = head.settings.hasCacheKey ? undefined : options.cacheKey?.(request)
    const cache = key === undefined ? "" : `,"prompt_cache_key":"${key}"`
    parts.push(limitPart === "" && cache === "" ? end : Buffer.from(`]${limitPart}${cache}}`))
    return Buffer.concat(parts)
  }
}

const end = Buffer.from("]}")

interface Settings {
  readonly plain: string
  readonly withTools: string
  readonly limitName: string
  readonly limit: number
  /** True if `plain` contains a key for the provider's cache. */
  readonly hasCacheKey: boolean
}

function requestSettings(
  options: OpenAiRequestOptions,
  requested: Parameters = {},
  effort: ModelRequest["effort"],
): Settings {
  const names = { reserved: reservedChatParameters, limits: chatLimitParameters }
  const merged = mergeParameters(options.parameters, requested, names)
  // The protocol accepts only words, and an explicit parameter overrides the effort.
  const withEffort = typeof effort === "string" ? { reasoning_effort: effort, ...merged } : merged
  return settingsFrom(options, withEffort)
}

function settingsFrom(
  { model, stream, limitName, usage }: OpenAiRequestOptions,
  parameters: Parameters,
): Settings {
  const requested: Parameters =
    stream === "sse" && usage === "asked"
      ? { stream_options: { include_usage: true }, ...parameters }
      : parameters
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"}`
  let withTools = ""
  let limit = { name: limitName as string, value: Number.POSITIVE_INFINITY }
  for (const [name, value] of Object.entries(requested)) {
    if (value === null || value === undefined) continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Providers refuse this without tools, as in a run's closing turn.
    if (name === "tool_choice" || name === "parallel_tool_calls") withTools += text
    // A server that knows the new name may refuse the old one.
    else if (chatLimitParameters.includes(name))
      limit = { name: limitName === "max_tokens" ? name : limitName, value: readTokens(name, value) }
    else plain += text
  }
  const hasCacheKey = typeof requested.prompt_cache_key === "string"
  return { plain, withTools, limitName: limit.name, limit: limit.value, hasCacheKey }
}

const systemText = (system: string): string =>
  system === "" ? "" : `{"role":"system","content":${quoteJson(system)}}`

function toolsText(tools: readonly OfferedTool[], strict: StrictTools): string {
  return JSON.stringify(
    tools.map((tool) => ({
      type: "function",
      function: {
        name: tool.name,
        description: tool.description.toWellFormed(),
        parameters: tool.input,
        ...(strict.has(tool) && { strict: true }),
      },
    })),
  )
}
