import type { ModelRequest } from "../../../../agent/model.ts"
import { isMap, type Json, mapOf } from "../../../../ground/message.ts"
import { mergeParameters, type Parameters, readTokens } from "../parameters.ts"
import { minOutputTokens, reservedResponsesParameters, responsesLimitParameters } from "./names.ts"

export interface ResponsesSettingsOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** Additional data to request besides the answer. */
  readonly include: readonly string[]
}

export interface ResponsesSettings {
  readonly plain: string
  readonly withTools: string
  readonly limit: number
  /** True if `plain` contains a key for the provider's cache. */
  readonly hasCacheKey: boolean
}

/**
 * Makes the settings of a request. Parameters of the definition override the client's own, and both override the
 * effort.
 */
export function buildResponsesSettings(
  options: ResponsesSettingsOptions,
  requested: Parameters = {},
  effort: ModelRequest["effort"],
): ResponsesSettings {
  const [ownParameters, requestParameters] = [translate(options.parameters), translate(requested)]
  const names = { reserved: reservedResponsesParameters, limits: responsesLimitParameters }
  const merged: Record<string, Json> = { ...mergeParameters(ownParameters, requestParameters, names) }
  for (const name of ["reasoning", "text"])
    if (isMap(ownParameters[name]) && isMap(requestParameters[name]))
      merged[name] = { ...ownParameters[name], ...requestParameters[name] }
  // The protocol accepts only words, and an explicit parameter overrides the effort.
  if (typeof effort === "string" && merged.reasoning !== null)
    merged.reasoning = { effort, ...mapOf(merged.reasoning) }
  if (options.include.length > 0 && merged.include !== null)
    merged.include = [...new Set([...listOf(merged.include), ...options.include])]
  return settingsFrom(options, merged)
}

/** The settings of a request, apart from its history, tools and system prompt. */
function settingsFrom(
  { model, stream }: ResponsesSettingsOptions,
  parameters: Parameters,
): ResponsesSettings {
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"},"store":false`
  let withTools = ""
  let limit = Number.POSITIVE_INFINITY
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined) continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Providers refuse this without tools, as in a run's closing turn.
    if (name === "tool_choice" || name === "parallel_tool_calls") withTools += text
    else if (responsesLimitParameters.includes(name))
      limit = Math.max(minOutputTokens, readTokens(name, value))
    else plain += text
  }
  return { plain, withTools, limit, hasCacheKey: typeof parameters.prompt_cache_key === "string" }
}

/**
 * Translates parameters of chat completions into this protocol's names, so that a definition need not know its model's
 * protocol.
 */
function translate(parameters: Parameters): Parameters {
  const { reasoning_effort, verbosity, response_format, tool_choice, stream_options, ...rest } = parameters
  const translated: Record<string, Json> = { ...rest }
  if (isSet(reasoning_effort) && rest.reasoning !== null)
    translated.reasoning = { effort: reasoning_effort, ...mapOf(rest.reasoning) }
  if (isSet(verbosity)) translated.text = { verbosity, ...mapOf(translated.text) }
  if (isSet(response_format))
    translated.text = { format: formatFrom(response_format), ...mapOf(translated.text) }
  if (tool_choice !== undefined) translated.tool_choice = choiceFrom(tool_choice)
  // This protocol always reports usage.
  const { include_usage: _, ...streaming } = mapOf(stream_options)
  if (Object.keys(streaming).length > 0) translated.stream_options = streaming
  return translated
}

const isSet = (value: Json | undefined): value is Json => value !== undefined && value !== null

/** In this protocol a schema and its name stand beside the type. */
function formatFrom(format: Json): Json {
  const { json_schema: schema, ...rest } = mapOf(format)
  return isMap(schema) ? { ...rest, ...schema } : format
}

function choiceFrom(choice: Json): Json {
  const { type, function: functionChoice, allowed_tools: allowed } = mapOf(choice)
  if (type === "function" && isMap(functionChoice)) return { type, ...functionChoice }
  if (type !== "allowed_tools" || !isMap(allowed)) return choice
  return { type, ...allowed, tools: listOf(allowed.tools).map(choiceFrom) }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
