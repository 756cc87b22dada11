import type { ModelPrice, Protocol } from "./client.ts"
import type { Parameters } from "./parameters.ts"
import { ResponsesReply } from "./responses-reply.ts"
import { responsesRequestWriter } from "./responses-request.ts"
import { SealedReasoning } from "./sealed-reasoning.ts"

/** How requests for responses are written, and responses read. */
export function speakResponses(
  model: string,
  parameters: Parameters,
  price: ModelPrice | undefined,
): Required<Pick<Protocol, "writer" | "refusal" | "open">> {
  const sealed = new SealedReasoning(model)
  return {
    writer: (stream, strict, host) =>
      responsesRequestWriter({ model, stream, parameters, host, strict, sealed }),
    refusal: (error, request) => sealed.refusal(error, request),
    open: (host, onDelta) => new ResponsesReply({ host, model }, onDelta, price),
  }
}
