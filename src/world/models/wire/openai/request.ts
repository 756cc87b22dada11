import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import { quoted } from "../json.ts"
import { type Head, mergedParameters, type Parameters, tokensIn } from "../parameters.ts"
import type { StrictTools } from "../strict-tools.ts"
import { type ChatHistoryOptions, chatHistory } from "./history.ts"
import { limitParameters, reservedParameters } from "./names.ts"

export interface OpenAiRequestOptions extends ChatHistoryOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** The parameter that bounds the reply where `parameters` does not name one. */
  readonly limitName: "max_tokens" | "max_completion_tokens"
  readonly strict: StrictTools
  /** Whether a stream is to tell at its end what was used; some servers refuse to be asked. */
  readonly usage: "asked" | "unasked"
  /** The key for the provider's cache, where it takes one. */
  readonly cacheKey?: (request: ModelRequest) => string
}

/**
 * Writes request bodies. The history is sent again with every turn, so the bytes of each message are kept for
 * as long as the message lives, and those of the system prompt and tools as long as the array of tools: a
 * turn costs its new messages and one copy. The order (tools, system, messages) never changes, so that
 * providers' caches hit.
 */
export function openAiRequestWriter(options: OpenAiRequestOptions): (request: ModelRequest) => Buffer {
  const usual = settingsFrom(options, options.parameters)
  const heads = new WeakMap<readonly OfferedTool[], Head<Settings>>()
  const history = chatHistory(options)

  function headOf({ system, tools, parameters, effort }: ModelRequest): Head<Settings> {
    const settings =
      parameters === undefined && effort === undefined ? usual : requestSettings(options, parameters, effort)
    const offered =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, options.strict)}`
    const bytes = Buffer.from(`{${settings.plain}${offered},"messages":[${systemText(system)}`)
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
    const most = bound === Number.POSITIVE_INFINITY ? "" : `,"${limitName}":${bound}`
    const key = head.settings.hasCacheKey ? undefined : options.cacheKey?.(request)
    const cache = key === undefined ? "" : `,"prompt_cache_key":"${key}"`
    parts.push(most === "" && cache === "" ? end : Buffer.from(`]${most}${cache}}`))
    return Buffer.concat(parts)
  }
}

const end = Buffer.from("]}")

interface Settings {
  readonly plain: string
  readonly withTools: string
  readonly limitName: string
  readonly limit: number
  /** Whether `plain` has a key for the provider's cache. */
  readonly hasCacheKey: boolean
}

function requestSettings(
  options: OpenAiRequestOptions,
  given: Parameters = {},
  effort: ModelRequest["effort"],
): Settings {
  const names = { reserved: reservedParameters, limits: limitParameters }
  const merged = mergedParameters(options.parameters, given, names)
  // The protocol knows words only, and a parameter says more than an effort.
  const withEffort = typeof effort === "string" ? { reasoning_effort: effort, ...merged } : merged
  return settingsFrom(options, withEffort)
}

function settingsFrom(
  { model, stream, limitName, usage }: OpenAiRequestOptions,
  parameters: Parameters,
): Settings {
  const given: Parameters =
    stream === "sse" && usage === "asked"
      ? { stream_options: { include_usage: true }, ...parameters }
      : parameters
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"}`
  let withTools = ""
  let limit = { name: limitName as string, value: Number.POSITIVE_INFINITY }
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Refused in a request that offers no tools, such as a run's closing turn.
    if (name === "tool_choice" || name === "parallel_tool_calls") withTools += text
    // Where the new name is known, the old one may be refused.
    else if (limitParameters.includes(name))
      limit = { name: limitName === "max_tokens" ? name : limitName, value: tokensIn(name, value) }
    else plain += text
  }
  const hasCacheKey = typeof given.prompt_cache_key === "string"
  return { plain, withTools, limitName: limit.name, limit: limit.value, hasCacheKey }
}

const systemText = (system: string): string =>
  system === "" ? "" : `{"role":"system","content":${quoted(system)}}`

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
