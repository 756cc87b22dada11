import type { Speech } from "../client.ts"
import { openAiStrict } from "../openai-names.ts"
import type { ResponsesOptions } from "./options.ts"
import { ResponsesReply } from "./reply.ts"
import { responsesRequestWriter } from "./request.ts"
import { SealedReasoning } from "./sealed-reasoning.ts"

/** How requests for responses are written, and responses read. */
export function speakResponses({ model, parameters = {}, price, baseUrl }: ResponsesOptions): Speech {
  const sealed = new SealedReasoning(model)
  return {
    strict: openAiStrict(model, baseUrl),
    writer: (stream, strict, host) =>
      responsesRequestWriter({ model, stream, parameters, host, strict, sealed }),
    refusal: (error, request) => sealed.refusal(error, request),
    open: (host, onDelta) => new ResponsesReply({ host, model }, onDelta, price),
  }
}
