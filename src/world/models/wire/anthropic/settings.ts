import type { ModelRequest } from "../../../../agent/model.ts"
import { isMap, type Json } from "../../../../ground/message.ts"
import { readFields } from "../json.ts"
import { mergeParameters, type Parameters, readTokens } from "../parameters.ts"
import { reservedAnthropicParameters } from "./names.ts"

export interface AnthropicSettingsOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** The longest reply that the model can write, if known. */
  readonly longestReply?: number | undefined
}

const defaultLimit = 8192
const usualReply = 32_000
/** The smallest thinking budget that the provider accepts. */
const leastThinking = 1024

export interface AnthropicSettings {
  readonly plain: string
  readonly withTools: string
  readonly limit: number
  readonly thinking: Record<string, unknown>
}

/** Makes the settings of a request with parameters or an effort of its own. */
export function buildAnthropicSettings(
  options: AnthropicSettingsOptions,
  requested: Parameters = {},
  effort: ModelRequest["effort"],
): AnthropicSettings {
  const names = { reserved: reservedAnthropicParameters, limits: ["max_tokens"] }
  const merged = mergeParameters(options.parameters, requested, names)
  return writeAnthropicSettings(options, effort === undefined ? merged : withEffort(merged, effort))
}

/** Adds an effort to the parameters. An explicit parameter overrides it. */
function withEffort(parameters: Parameters, effort: string | number): Parameters {
  if (typeof effort === "number") return { thinking: thinkingFor(effort), ...parameters }
  const { output_config = {} } = parameters
  return isMap(output_config) ? { ...parameters, output_config: { effort, ...output_config } } : parameters
}

const thinkingFor = (tokens: number): Json =>
  tokens > 0
    ? { type: "enabled", budget_tokens: Math.max(leastThinking, Math.floor(tokens)) }
    : { type: "disabled" }

/** The settings of a request, apart from its messages, tools and system prompt. */
export function writeAnthropicSettings(
  { model, stream, longestReply }: AnthropicSettingsOptions,
  parameters: Parameters,
): AnthropicSettings {
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"}`
  let withTools = ""
  const thinking = thinkingFrom(parameters.thinking)
  const accepted = model.startsWith("claude-") ? acceptedByClaude(parameters) : parameters
  for (const [name, value] of Object.entries(accepted)) {
    if (value === null || value === undefined || name === "max_tokens" || name === "thinking") continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Providers refuse this without tools, as in a run's closing turn.
    if (name === "tool_choice") withTools += text
    else plain += text
  }
  const ownLimit = parameters.max_tokens ?? undefined
  const limit =
    ownLimit === undefined
      ? usualLimit(longestReply, thinkingLimit(thinking) ?? 0)
      : readTokens("max_tokens", ownLimit)
  return { plain, withTools, limit, thinking }
}

/**
 * The default limit on a reply: longer than nearly every reply, with room to think, and never more than the model can
 * write.
 */
const usualLimit = (longestReply: number | undefined, thinkingTokens: number): number =>
  longestReply === undefined
    ? defaultLimit + thinkingTokens
    : Math.min(longestReply, Math.min(longestReply, usualReply) + thinkingTokens)

/** Keeps the parameters that Claude accepts: a temperature or a `top_p`, not both, and fewer values while it thinks. */
function acceptedByClaude(parameters: Parameters): Parameters {
  const { type } = thinkingFrom(parameters.thinking)
  const isThinking = type === "enabled" || type === "adaptive"
  const accepted = Object.entries(parameters).filter(
    ([name, value]) => !(isThinking && isRefusedSampling(name, value)),
  )
  const hasTemperature = accepted.some(([name, value]) => name === "temperature" && value !== null)
  return Object.fromEntries(accepted.filter(([name]) => !(name === "top_p" && hasTemperature)))
}

/**
 * True if a thinking model refuses the parameter. It accepts only a temperature of 1, no `top_k`, and no `top_p` below
 * 0.95.
 */
const isRefusedSampling = (name: string, value: Json): boolean =>
  (name === "temperature" && value !== 1) || name === "top_k" || (name === "top_p" && Number(value) < 0.95)

function thinkingFrom(value: Json | undefined): Record<string, unknown> {
  if (typeof value === "object" || value === undefined) return readFields(value)
  throw new Error(`the parameter thinking is ${JSON.stringify(value)}, but must be an object with a type.`)
}

const thinkingLimit = (thinking: Record<string, unknown>): number | undefined =>
  typeof thinking.budget_tokens === "number" ? thinking.budget_tokens : undefined

/** The thinking must fit into the reply. If the run has few tokens left, the model thinks less, or not at all. */
export function writeThinkingParameter(thinking: Record<string, unknown>, bound: number): string {
  if (thinking.type === undefined) return ""
  if ((thinkingLimit(thinking) ?? 0) < bound) return `,"thinking":${JSON.stringify(thinking)}`
  if (bound <= leastThinking) return ""
  return `,"thinking":${JSON.stringify({ ...thinking, budget_tokens: bound - 1 })}`
}
