import { anthropicStrict } from "../wire/anthropic/request.ts"
import { openAiStrict } from "../wire/openai-names.ts"
import type { StrictRules } from "../wire/strict-tools.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

/**
 * What a package does with a strict tool (2026-11): OpenAI's, Azure's and Anthropic's send the word on. Google's would
 * hold the model to the schemas of all tools at once, and what others do depends on their servers. Version 2 knows no
 * such tools.
 */
export function strictRules(model: AiSdkLanguageModel, baseUrl: string | undefined): StrictRules {
  const { provider, modelId, specificationVersion } = model
  const isAnthropic = /anthropic/.test(provider) || /claude/.test(modelId)
  const rules = isAnthropic ? anthropicStrict(modelId, baseUrl) : openAiStrict(modelId, baseUrl)
  const family = provider.split(".")[0]!
  const sendsOn = specificationVersion !== "v2" && ["openai", "azure", "anthropic"].includes(family)
  return sendsOn ? rules : { ...rules, support: "unknown" }
}
