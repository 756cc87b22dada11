import type { ModelRequest } from "../../src/agent/model.ts"
import type { Message } from "../../src/ground/message.ts"

/** A layer that notes what is sent, by run. */
export function spying() {
  const sent: { readonly run: string; readonly system: string; readonly messages: readonly Message[] }[] = []
  const layer = (request: ModelRequest, next: (request: ModelRequest) => Promise<never>) => {
    const { run, system, messages } = request
    sent.push({ run, system, messages: [...messages] })
    return next(request)
  }
  return { sent, layers: { model: [layer] } as never }
}
