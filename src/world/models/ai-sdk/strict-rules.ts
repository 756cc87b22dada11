import { getAnthropicStrictRules } from "../wire/anthropic/request.ts"
import { openAiStrictRules } from "../wire/openai-names.ts"
import type { StrictRules } from "../wire/strict-tools.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

/**
 * The rules of a package for strict tools (2026-11). The packages of OpenAI, Azure and Anthropic pass `strict` on.
 * Google's would enforce the schemas of all tools at once, and for others it depends on their servers. Version 2 has no
 * strict tools.
 */
export function getAiSdkStrictRules(model: AiSdkLanguageModel, baseUrl: string | undefined): StrictRules {
  const { provider, modelId, specificationVersion } = model
  const isAnthropic = /anthropic/.test(provider) || /claude/.test(modelId)
  const rules = isAnthropic ? getAnthropicStrictRules(modelId, baseUrl) : openAiStrictRules(modelId, baseUrl)
  const family = provider.split(".")[0]!
  const passesStrictOn = specificationVersion !== "v2" && ["openai", "azure", "anthropic"].includes(family)
  return passesStrictOn ? rules : { ...rules, support: "unknown" }
}
