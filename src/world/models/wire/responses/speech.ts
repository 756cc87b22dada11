import type { Speech } from "../client.ts"
import { openAiStrictRules } from "../openai-names.ts"
import type { ResponsesOptions } from "./options.ts"
import { ResponsesReply } from "./reply.ts"
import { createResponsesWriter } from "./request.ts"
import { SealedReasoning } from "./sealed-reasoning.ts"

/** Writes requests for responses and reads the answers. */
export function speakResponses({ model, parameters = {}, price, baseUrl }: ResponsesOptions): Speech {
  const sealed = new SealedReasoning(model)
  return {
    strict: openAiStrictRules(model, baseUrl),
    writer: (stream, strict, host) =>
      createResponsesWriter({ model, stream, parameters, host, strict, sealed }),
    refusal: (error, request) => sealed.refusal(error, request),
    open: (host, onDelta) => new ResponsesReply({ host, model }, onDelta, price),
  }
}
