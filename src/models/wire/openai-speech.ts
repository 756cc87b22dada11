import type { Speech } from "./client.ts"
import type { OpenAiOptions } from "./openai.ts"
import { OpenAiReply } from "./openai-reply.ts"
import { limitNameFor, openAiRequestWriter, openAiStrict } from "./openai-request.ts"

/** How chat completions are asked for and read. */
export const openAiSpeech = ({ model, baseUrl, parameters = {}, price }: OpenAiOptions): Speech => ({
  strict: openAiStrict(model, baseUrl),
  writer: (stream, strict) =>
    openAiRequestWriter({ model, stream, parameters, limitName: limitNameFor(model, baseUrl), strict }),
  open: (host, onDelta) => new OpenAiReply(host, onDelta, price),
})
