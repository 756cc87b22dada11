import type { Speech } from "../client.ts"
import type { AnthropicOptions } from "./options.ts"
import { AnthropicReply, type TokenPrice } from "./reply.ts"
import { createAnthropicWriter, getAnthropicStrictRules } from "./request.ts"

/** Writes requests for messages and reads the answers. */
export function speakMessages(
  { model, parameters = {}, cache = "5m", baseUrl, longestReply }: AnthropicOptions,
  price: TokenPrice | undefined,
): Speech {
  return {
    strict: getAnthropicStrictRules(model, baseUrl),
    writer: (stream, strict, host) =>
      createAnthropicWriter({
        ...{ model, stream, parameters, cache, strict, longestReply },
        origin: { host, model },
      }),
    open: (host, onDelta) =>
      new AnthropicReply(onDelta, { origin: { host, model }, ...(price && { price }) }),
  }
}
