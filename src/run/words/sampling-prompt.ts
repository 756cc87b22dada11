import type { SamplingRequest } from "../../agent/sampling.ts"
import { toOneLine } from "./text.ts"

/** The instructions of a program's request for a reply of the run's model. The program's own come last, marked as its words. */
export const composeSamplingPrompt = ({ from, system }: Pick<SamplingRequest, "from" | "system">): string => {
  const frame =
    `You answer a request of ${toOneLine(from)}, a program that an agent works with. All messages are its words. ` +
    "It gets your reply and nothing else. You have no tools. Write only the reply."
  return system === undefined || system === "" ? frame : `${frame}\n\nThe program's instructions:\n${system}`
}

/** The program learns no more than this about a failure of the model. */
export const noReplyText = "the model gave no reply"

export const replyStoppedText = "the run is stopping"
