import type { ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"
import { mergeParameters, type Parameters, readTokens } from "../wire/parameters.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

interface Settings {
  readonly toolChoice?: Json
  readonly [name: string]: unknown
}

/**
 * Translates parameters and effort for an AI SDK model: shared names become call settings, the rest options of the
 * provider. Names may contain underscores. Throws if the limit on a reply is invalid.
 */
export function readAiSdkSettings(
  model: AiSdkLanguageModel,
  request: ModelRequest,
  own: Parameters,
): Settings {
  const merged = mergeParameters(inCamelCase(own), inCamelCase(request.parameters ?? {}), {
    reserved,
    limits,
  })
  const call: Record<string, Json> = {}
  const options: Record<string, Json> = {}
  let maxTokens = request.maxOutputTokens ?? Number.POSITIVE_INFINITY
  for (const [name, value] of Object.entries(merged)) {
    if (value === null || value === undefined) continue
    if (limits.includes(name)) maxTokens = Math.min(maxTokens, readTokens(name, value))
    else if (name === "toolChoice") call.toolChoice = typeof value === "string" ? { type: value } : value
    else if (name === "stop" || name === "stopSequences")
      call.stopSequences = typeof value === "string" ? [value] : value
    else if (callSettings.includes(name)) call[name] = value
    else options[name] = value
  }
  const effort = request.effort === undefined ? {} : effortSettings(model, request.effort, merged)
  const provider = { ...usualOptions(model), ...effort.options, ...options }
  return {
    ...call,
    ...effort.call,
    ...(maxTokens === Number.POSITIVE_INFINITY ? {} : { maxOutputTokens: maxTokens }),
    ...(Object.keys(provider).length > 0 && { providerOptions: { [optionsName(model)]: provider } }),
  }
}

const reserved = ["model", "messages", "tools", "stream", "prompt", "abortSignal"]
const limits = ["maxOutputTokens", "maxTokens", "maxCompletionTokens"]
const callSettings = [
  ...["temperature", "topP", "topK", "seed", "presencePenalty", "frequencyPenalty"],
  ...["responseFormat", "reasoning"],
]

const inCamelCase = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

/** The key under which a provider looks for its options. */
function optionsName({ provider }: AiSdkLanguageModel): string {
  const [family = provider] = provider.split(".")
  if (family.startsWith("azure")) return "openai"
  return family === "amazon-bedrock" ? "bedrock" : family
}

/** The history is in the log and sent in full. Data stored at a provider may be gone when a run is resumed. */
const usualOptions = (model: AiSdkLanguageModel): Record<string, Json> =>
  speaksResponses(model) ? { store: false } : {}

/** True for OpenAI's responses protocol, at OpenAI or on Azure. */
export const speaksResponses = ({ provider }: AiSdkLanguageModel): boolean =>
  /^(openai|azure)[.\w-]*\.responses$/.test(provider)

interface EffortSettings {
  readonly call?: Record<string, Json>
  readonly options?: Record<string, Json>
}

/** Translates an effort into the settings of known providers. An explicit parameter overrides the effort. */
function effortSettings(
  model: AiSdkLanguageModel,
  effort: string | number,
  parameters: Parameters,
): EffortSettings {
  const hasOwnEffort = ["reasoningEffort", "thinkingConfig", "thinking", "effort", "reasoning"].some(
    (name) => name in parameters,
  )
  if (hasOwnEffort) return {}
  switch (optionsName(model)) {
    case "google":
    case "vertex":
      return { options: { thinkingConfig: googleThinking(effort) } }
    case "anthropic":
      return { options: anthropicEffort(effort) }
    case "openai":
      return typeof effort === "string" ? { options: { reasoningEffort: effort } } : {}
    default:
      if (typeof effort === "number") return {}
      return model.specificationVersion === "v4" && sharedEfforts.includes(effort)
        ? { call: { reasoning: effort } }
        : { options: { reasoningEffort: effort } }
  }
}

/** The efforts that version 4 passes on to any provider. */
const sharedEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

function googleThinking(effort: string | number): Json {
  if (typeof effort === "number") return { thinkingBudget: Math.max(0, Math.floor(effort)) }
  if (effort === "none") return { thinkingBudget: 0 }
  return { thinkingLevel: effort === "xhigh" || effort === "max" ? "high" : effort }
}

const anthropicEffort = (effort: string | number): Record<string, Json> => {
  if (typeof effort === "string") return { effort }
  return effort > 0
    ? { thinking: { type: "enabled", budgetTokens: Math.max(1024, Math.floor(effort)) } }
    : { thinking: { type: "disabled" } }
}
