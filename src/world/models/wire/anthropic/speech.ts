import type { Speech } from "../client.ts"
import type { AnthropicOptions } from "./options.ts"
import { AnthropicReply, type TokenPrice } from "./reply.ts"
import { anthropicRequestWriter, anthropicStrict } from "./request.ts"

/** How requests for messages are written, and messages read. */
export function speakMessages(
  { model, parameters = {}, cache = "5m", baseUrl, longestReply }: AnthropicOptions,
  price: TokenPrice | undefined,
): Speech {
  return {
    strict: anthropicStrict(model, baseUrl),
    writer: (stream, strict, host) =>
      anthropicRequestWriter({
        ...{ model, stream, parameters, cache, strict, longestReply },
        origin: { host, model },
      }),
    open: (host, onDelta) =>
      new AnthropicReply(onDelta, { origin: { host, model }, ...(price && { price }) }),
  }
}
