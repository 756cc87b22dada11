import { messageOf } from "../../errors.ts"
import type { Model, ModelError, ModelRequest } from "../../model.ts"
import type { ClientOptions, Speech } from "./client.ts"
import { failure } from "./failure.ts"
import { type Endpoint, exchange } from "./http.ts"
import { StrictTools } from "./strict-tools.ts"
import { presentable } from "./text.ts"

/** Asks over HTTP, and never throws. */
export function conversation(
  speech: Speech,
  endpoint: Endpoint,
  secrets: readonly string[],
  options: Pick<ClientOptions, "strictTools">,
): Model["stream"] {
  const strict = new StrictTools(speech.strict, options)
  let write = speech.writer(endpoint.expect, strict)

  function judged(error: ModelError, { tools }: ModelRequest): ModelError {
    const refusal = strict.refusal(error, tools)
    // A writer keeps what it wrote.
    if (refusal) write = speech.writer(endpoint.expect, strict)
    return refusal ?? error
  }

  return async (request, onDelta) => {
    const reply = speech.open(endpoint.host, onDelta)
    let error: ModelError | undefined
    try {
      error = await exchange(endpoint, write(request), request.signal, reply)
    } catch (thrown) {
      error = failure(
        "rejected",
        `The request to ${endpoint.host} could not be made: ${messageOf(thrown)}`,
        "final",
      )
    }
    return reply.reply(error && judged(presentable(error, secrets), request))
  }
}
