import { isOpenAiHost } from "../../address.ts"
import type { Speech } from "../client.ts"
import { chooseLimitName, openAiStrictRules } from "../openai-names.ts"
import { createCacheKeys } from "../prompt-cache-key.ts"
import { getAddressHost } from "../strict-tools.ts"
import type { OpenAiOptions } from "./options.ts"
import { createChatParts } from "./parts.ts"
import { OpenAiReply } from "./reply.ts"
import { createOpenAiWriter } from "./request.ts"
import { findChatRules } from "./rules.ts"

/** Writes requests for chat completions and reads the answers. */
export function speakChat({ model, provider, baseUrl, parameters = {}, price }: OpenAiOptions): Speech {
  const { refusal, sent } = createChatParts(findChatRules(provider, baseUrl))
  // Other servers may refuse a cache key.
  const isOpenAi = isOpenAiHost(getAddressHost(baseUrl) ?? "api.openai.com")
  return {
    strict: openAiStrictRules(model, baseUrl),
    writer: (stream, strict, host) =>
      createOpenAiWriter({
        model,
        origin: { host, model },
        ...sent(),
        stream,
        parameters,
        limitName: chooseLimitName(model, baseUrl),
        strict,
        ...(isOpenAi && { cacheKey: createCacheKeys() }),
      }),
    refusal,
    open: (host, onDelta) =>
      new OpenAiReply(onDelta, { origin: { host, model }, rules: sent().rules, ...(price && { price }) }),
  }
}
