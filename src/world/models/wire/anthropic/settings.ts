import type { ModelRequest } from "../../../../agent/model.ts"
import { isMap, type Json } from "../../../../ground/message.ts"
import { fields } from "../json.ts"
import { mergedParameters, type Parameters, tokensIn } from "../parameters.ts"
import { reservedParameters } from "./names.ts"

export interface SettingsOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Parameters
  /** What the model can write at most, where that is known. */
  readonly longestReply?: number | undefined
}

const defaultLimit = 8192
const usualReply = 32_000
/** The least the provider takes. */
const leastThinking = 1024

export interface Settings {
  readonly plain: string
  readonly withTools: string
  readonly limit: number
  readonly thinking: Record<string, unknown>
}

/** The settings of a request that has parameters or an effort of its own. */
export function requestSettings(
  options: SettingsOptions,
  given: Parameters = {},
  effort: ModelRequest["effort"],
): Settings {
  const names = { reserved: reservedParameters, limits: ["max_tokens"] }
  const merged = mergedParameters(options.parameters, given, names)
  return settingsFrom(options, effort === undefined ? merged : withEffort(merged, effort))
}

/** A parameter says more than an effort. */
function withEffort(parameters: Parameters, effort: string | number): Parameters {
  if (typeof effort === "number") return { thinking: thinkingFor(effort), ...parameters }
  const { output_config = {} } = parameters
  return isMap(output_config) ? { ...parameters, output_config: { effort, ...output_config } } : parameters
}

const thinkingFor = (tokens: number): Json =>
  tokens > 0
    ? { type: "enabled", budget_tokens: Math.max(leastThinking, Math.floor(tokens)) }
    : { type: "disabled" }

/** What a request says beside its messages, tools and system prompt. */
export function settingsFrom(
  { model, stream, longestReply }: SettingsOptions,
  parameters: Parameters,
): Settings {
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"}`
  let withTools = ""
  const thinking = thinkingFrom(parameters.thinking)
  const taken = model.startsWith("claude-") ? takenByClaude(parameters) : parameters
  for (const [name, value] of Object.entries(taken)) {
    if (value === null || value === undefined || name === "max_tokens" || name === "thinking") continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Refused in a request that offers no tools, such as a run's closing turn.
    if (name === "tool_choice") withTools += text
    else plain += text
  }
  const own = parameters.max_tokens ?? undefined
  const limit =
    own === undefined ? usualLimit(longestReply, thinkingLimit(thinking) ?? 0) : tokensIn("max_tokens", own)
  return { plain, withTools, limit, thinking }
}

/** Longer than nearly every reply, with room to think, and never more than the model can write. */
const usualLimit = (longestReply: number | undefined, thought: number): number =>
  longestReply === undefined
    ? defaultLimit + thought
    : Math.min(longestReply, Math.min(longestReply, usualReply) + thought)

/** Claude takes a temperature or a `top_p`, not both, and less of them while it thinks. */
function takenByClaude(parameters: Parameters): Parameters {
  const { type } = thinkingFrom(parameters.thinking)
  const isThinking = type === "enabled" || type === "adaptive"
  const taken = Object.entries(parameters).filter(
    ([name, value]) => !(isThinking && isRefusedSampling(name, value)),
  )
  const hasTemperature = taken.some(([name, value]) => name === "temperature" && value !== null)
  return Object.fromEntries(taken.filter(([name]) => !(name === "top_p" && hasTemperature)))
}

/** A model that thinks takes no temperature but 1, no `top_k`, and no `top_p` below 0.95. */
const isRefusedSampling = (name: string, value: Json): boolean =>
  (name === "temperature" && value !== 1) || name === "top_k" || (name === "top_p" && Number(value) < 0.95)

function thinkingFrom(value: Json | undefined): Record<string, unknown> {
  if (typeof value === "object" || value === undefined) return fields(value)
  throw new Error(`the parameter thinking is ${JSON.stringify(value)}, and must be an object with a type.`)
}

const thinkingLimit = (thinking: Record<string, unknown>): number | undefined =>
  typeof thinking.budget_tokens === "number" ? thinking.budget_tokens : undefined

/** Thinking must fit into the reply: where the run has little left it thinks less, or not at all. */
export function thinkingParameter(thinking: Record<string, unknown>, bound: number): string {
  if (thinking.type === undefined) return ""
  if ((thinkingLimit(thinking) ?? 0) < bound) return `,"thinking":${JSON.stringify(thinking)}`
  if (bound <= leastThinking) return ""
  return `,"thinking":${JSON.stringify({ ...thinking, budget_tokens: bound - 1 })}`
}
