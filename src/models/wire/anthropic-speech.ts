import type { AnthropicOptions } from "./anthropic.ts"
import { AnthropicReply, type TokenPrice } from "./anthropic-reply.ts"
import { anthropicRequestWriter, anthropicStrict } from "./anthropic-request.ts"
import type { Speech } from "./client.ts"

/** What of the options requests and replies are about, with what was left out. */
interface Spoken extends Pick<AnthropicOptions, "model" | "baseUrl" | "parameters"> {
  readonly cache: NonNullable<AnthropicOptions["cache"]>
  readonly price: TokenPrice | undefined
}

/** How messages are asked for and read. */
export const anthropicSpeech = ({ model, baseUrl, parameters = {}, cache, price }: Spoken): Speech => ({
  strict: anthropicStrict(model, baseUrl),
  writer: (stream, strict) => anthropicRequestWriter({ model, stream, parameters, cache, strict }),
  open: (host, onDelta) => new AnthropicReply(host, onDelta, price),
})
