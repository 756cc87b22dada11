import { isOpenAiHost } from "../../address.ts"
import type { Speech } from "../client.ts"
import { limitNameFor, openAiStrict } from "../openai-names.ts"
import { promptCacheKey } from "../prompt-cache-key.ts"
import { hostOf } from "../strict-tools.ts"
import type { OpenAiOptions } from "./options.ts"
import { chatParts } from "./parts.ts"
import { OpenAiReply } from "./reply.ts"
import { openAiRequestWriter } from "./request.ts"
import { chatRules } from "./rules.ts"

/** How requests for chat completions are written, and completions read. */
export function speakChat({ model, provider, baseUrl, parameters = {}, price }: OpenAiOptions): Speech {
  const { refusal, sent } = chatParts(chatRules(provider, baseUrl))
  // Other servers may refuse the word.
  const isOwn = isOpenAiHost(hostOf(baseUrl) ?? "api.openai.com")
  return {
    strict: openAiStrict(model, baseUrl),
    writer: (stream, strict, host) =>
      openAiRequestWriter({
        model,
        origin: { host, model },
        ...sent(),
        stream,
        parameters,
        limitName: limitNameFor(model, baseUrl),
        strict,
        ...(isOwn && { cacheKey: promptCacheKey() }),
      }),
    refusal,
    open: (host, onDelta) =>
      new OpenAiReply(onDelta, { origin: { host, model }, rules: sent().rules, ...(price && { price }) }),
  }
}
