import { isStrictSchema } from "./strict-schema.ts"
import { getAddressHost, type StrictRules } from "./strict-tools.ts"

/**
 * The name of the limit on a reply. OpenAI refuses `max_tokens` for its newer models; other servers ignore the new
 * name. A gateway that serves such a model passes requests on to OpenAI.
 */
export function chooseLimitName(
  model: string,
  baseUrl: string | undefined,
): "max_tokens" | "max_completion_tokens" {
  return isOpenAi(model, baseUrl) ? "max_completion_tokens" : "max_tokens"
}

/**
 * The rules for strict tools. Other servers may refuse the word `strict`, and OpenAI's fine-tuned models support fewer
 * schemas.
 */
export const openAiStrictRules = (model: string, baseUrl: string | undefined): StrictRules => ({
  support: isOpenAi(model, baseUrl) && !model.startsWith("ft:") ? "known" : "unknown",
  takes: isStrictSchema,
})

function isOpenAi(model: string, baseUrl: string | undefined): boolean {
  const host = getAddressHost(baseUrl)
  return host === undefined || openAiHosts.test(host) || /^(gpt-[5-9]|o[1-9])/.test(model)
}

/** Azure serves OpenAI's models under names that its users choose. */
const openAiHosts = /^(?:[a-z]+\.)?api\.openai\.com$|\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/
