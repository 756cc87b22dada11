import type { ModelRequest } from "../../../../agent/model.ts"
import { isMap, type Json, mapOf } from "../../../../ground/message.ts"
import { mergedParameters, type Parameters, tokensIn } from "../parameters.ts"
import { leastOutput, limitParameters, reservedParameters } from "./names.ts"

export interface SettingsOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** What to ask for beside the answer itself. */
  readonly include: readonly string[]
}

export interface Settings {
  readonly plain: string
  readonly withTools: string
  readonly limit: number
  /** Whether `plain` has a key for the provider's cache. */
  readonly hasCacheKey: boolean
}

/** The settings of a request: the client's own parameters, what its definition gives over them, and below both its effort. */
export function requestSettings(
  options: SettingsOptions,
  given: Parameters = {},
  effort: ModelRequest["effort"],
): Settings {
  const [own, over] = [inThisProtocol(options.parameters), inThisProtocol(given)]
  const names = { reserved: reservedParameters, limits: limitParameters }
  const merged: Record<string, Json> = { ...mergedParameters(own, over, names) }
  for (const name of ["reasoning", "text"])
    if (isMap(own[name]) && isMap(over[name])) merged[name] = { ...own[name], ...over[name] }
  // The protocol knows words only, and a parameter says more than an effort.
  if (typeof effort === "string" && merged.reasoning !== null)
    merged.reasoning = { effort, ...mapOf(merged.reasoning) }
  if (options.include.length > 0 && merged.include !== null)
    merged.include = [...new Set([...listOf(merged.include), ...options.include])]
  return settingsFrom(options, merged)
}

/** What a request says beside its history, tools and system prompt. */
function settingsFrom({ model, stream }: SettingsOptions, parameters: Parameters): Settings {
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"},"store":false`
  let withTools = ""
  let limit = Number.POSITIVE_INFINITY
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined) continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Refused in a request that offers no tools, such as a run's closing turn.
    if (name === "tool_choice" || name === "parallel_tool_calls") withTools += text
    else if (limitParameters.includes(name)) limit = Math.max(leastOutput, tokensIn(name, value))
    else plain += text
  }
  return { plain, withTools, limit, hasCacheKey: typeof parameters.prompt_cache_key === "string" }
}

/**
 * Parameters as they are written for chat completions, under the names they have here. A definition need not know how
 * its model is spoken to.
 */
function inThisProtocol(parameters: Parameters): Parameters {
  const { reasoning_effort, verbosity, response_format, tool_choice, stream_options, ...rest } = parameters
  const translated: Record<string, Json> = { ...rest }
  if (isGiven(reasoning_effort) && rest.reasoning !== null)
    translated.reasoning = { effort: reasoning_effort, ...mapOf(rest.reasoning) }
  if (isGiven(verbosity)) translated.text = { verbosity, ...mapOf(translated.text) }
  if (isGiven(response_format))
    translated.text = { format: formatFrom(response_format), ...mapOf(translated.text) }
  if (tool_choice !== undefined) translated.tool_choice = choiceFrom(tool_choice)
  // Usage is told without being asked for.
  const { include_usage: _, ...streaming } = mapOf(stream_options)
  if (Object.keys(streaming).length > 0) translated.stream_options = streaming
  return translated
}

const isGiven = (value: Json | undefined): value is Json => value !== undefined && value !== null

/** A schema and its name stand beside the type here. */
function formatFrom(format: Json): Json {
  const { json_schema: schema, ...rest } = mapOf(format)
  return isMap(schema) ? { ...rest, ...schema } : format
}

function choiceFrom(choice: Json): Json {
  const { type, function: named, allowed_tools: allowed } = mapOf(choice)
  if (type === "function" && isMap(named)) return { type, ...named }
  if (type !== "allowed_tools" || !isMap(allowed)) return choice
  return { type, ...allowed, tools: listOf(allowed.tools).map(choiceFrom) }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
