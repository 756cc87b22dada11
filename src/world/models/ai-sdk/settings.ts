import type { ModelRequest } from "../../../agent/model.ts"
import type { Json } from "../../../ground/message.ts"
import { mergedParameters, type Parameters, tokensIn } from "../wire/parameters.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

interface Settings {
  readonly toolChoice?: Json
  readonly [name: string]: unknown
}

/**
 * Parameters and effort as an AI SDK model takes them: what all providers know as call settings, the rest as
 * options of the provider. Names may be written with underscores. Throws where a bound on the reply is none.
 */
export function settingsFrom(model: AiSdkLanguageModel, request: ModelRequest, own: Parameters): Settings {
  const merged = mergedParameters(inCamelCase(own), inCamelCase(request.parameters ?? {}), {
    reserved,
    limits,
  })
  const call: Record<string, Json> = {}
  const options: Record<string, Json> = {}
  let most = request.maxOutputTokens ?? Number.POSITIVE_INFINITY
  for (const [name, value] of Object.entries(merged)) {
    if (value === null || value === undefined) continue
    if (limits.includes(name)) most = Math.min(most, tokensIn(name, value))
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
    ...(most === Number.POSITIVE_INFINITY ? {} : { maxOutputTokens: most }),
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

/** The name under which a provider looks for its options. */
function optionsName({ provider }: AiSdkLanguageModel): string {
  const [family = provider] = provider.split(".")
  if (family.startsWith("azure")) return "openai"
  return family === "amazon-bedrock" ? "bedrock" : family
}

/** The history is in the log and sent in full: what a provider would keep of it may be gone when a run goes on. */
const usualOptions = (model: AiSdkLanguageModel): Record<string, Json> =>
  speaksResponses(model) ? { store: false } : {}

/** OpenAI's responses, there or on Azure. */
export const speaksResponses = ({ provider }: AiSdkLanguageModel): boolean =>
  /^(openai|azure)[.\w-]*\.responses$/.test(provider)

interface EffortSettings {
  readonly call?: Record<string, Json>
  readonly options?: Record<string, Json>
}

/** An effort in the words of those providers that are known; a parameter says more than an effort. */
function effortSettings(
  model: AiSdkLanguageModel,
  effort: string | number,
  given: Parameters,
): EffortSettings {
  const isGiven = ["reasoningEffort", "thinkingConfig", "thinking", "effort", "reasoning"].some(
    (name) => name in given,
  )
  if (isGiven) return {}
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

/** Those that version 4 passes on to any provider. */
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
