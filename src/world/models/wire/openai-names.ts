import { isStrictSchema } from "./strict-schema.ts"
import { hostOf, type StrictRules } from "./strict-tools.ts"

/**
 * OpenAI refuses max_tokens for its newer models; other servers silently ignore the new name. A gateway that serves
 * one of those models asks OpenAI.
 */
export function limitNameFor(
  model: string,
  baseUrl: string | undefined,
): "max_tokens" | "max_completion_tokens" {
  return isOpenAi(model, baseUrl) ? "max_completion_tokens" : "max_tokens"
}

/** Other servers may refuse the word; and of its own models those that were tuned take less of a schema. */
export const openAiStrict = (model: string, baseUrl: string | undefined): StrictRules => ({
  support: isOpenAi(model, baseUrl) && !model.startsWith("ft:") ? "known" : "unknown",
  takes: isStrictSchema,
})

function isOpenAi(model: string, baseUrl: string | undefined): boolean {
  const host = hostOf(baseUrl)
  return host === undefined || openAiHosts.test(host) || /^(gpt-[5-9]|o[1-9])/.test(model)
}

/** Azure serves OpenAI's models, under names that its users give them. */
const openAiHosts = /^(?:[a-z]+\.)?api\.openai\.com$|\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/
