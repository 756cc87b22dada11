import type { SamplingReply, SamplingRequest } from "../../agent/sampling.ts"
import type { Action } from "../decide/action.ts"
import { countTokensLeft } from "../decide/decide-sampling.ts"
import type { Fact, SamplingStart } from "../log/event.ts"
import { composeSamplingPrompt, noReplyText, replyStoppedText } from "../words/sampling-prompt.ts"
import {
  askOnce,
  type CheckedReply,
  createRetryEvent,
  makeFailedReply,
  mayRetry,
  openCurrentModel,
  passGate,
  retryDelay,
} from "./ask.ts"
import type { Drive } from "./drive-view.ts"
import { addMissingCost, computeSettlement, reserve } from "./reserve.ts"

/**
 * Asks the run's model for a program that waits for a reply in the middle of a call. The program gets the text of the
 * reply; the run keeps the rest.
 */
export async function answerProgram(
  drive: Drive,
  { call, refused }: Extract<Action, { type: "sample" }>,
): Promise<void> {
  const { recorder, tree, state } = drive
  if (refused !== undefined)
    return recorder.record({
      type: "sampling-end",
      call: call.id,
      reply: { type: "refused", reason: refused },
    })
  const { request, attempt: attempts } = call.sampling!
  const model = await openCurrentModel(drive)
  if (drive.isStopped || passGate(drive, model) === "wait") return
  const system = composeSamplingPrompt(request)
  const inputTokens = request.messages.reduce(
    (sum, { text }) => sum + Buffer.byteLength(text),
    Buffer.byteLength(system),
  )
  const attempt = attempts + 1
  const start: SamplingStart | undefined = await reserve(
    drive,
    model,
    inputTokens,
    (reserved) => ({ type: "sampling-start", call: call.id, attempt, model: model.id, reserved }),
    mostTokens(drive, request),
  )
  if (!start) return
  const modelAttempt = { turn: state.turn, attempt, reserved: start.reserved }
  const workResult = await askOnce(
    drive,
    model,
    modelAttempt,
    {
      system,
      messages: request.messages.map(({ role, text }) =>
        role === "user" ? { role, text } : { role, text, calls: [] },
      ),
      tools: [],
      text: "kept",
      maxOutputTokens: start.reserved.outputTokens,
    },
    async (reply) => reply,
  )
  // This process no longer drives the run. The next owner asks again.
  if (workResult.aborted !== undefined && drive.isEnded) return
  const reply = workResult.type === "value" ? workResult.value : makeFailedReply(workResult)
  const usage = addMissingCost(reply.usage, model)
  const { error } = reply
  const delay = error ? retryDelay(error, attempt) : 0
  if (workResult.aborted === undefined) drive.environment.gates.of(model)?.recordResult(error, delay)
  const used = { call: call.id, model: model.id, usage }
  const fact: Fact =
    error && workResult.aborted === undefined && mayRetry(state, error, attempt)
      ? {
          ...withoutTurn(createRetryEvent(drive, model, modelAttempt, error, delay)),
          ...used,
          type: "sampling-retry",
        }
      : {
          type: "sampling-end",
          ...used,
          reply:
            workResult.aborted === undefined
              ? replyFor(request, reply, model.id)
              : { type: "refused", reason: replyStoppedText },
          ...(error && { error }),
        }
  await recorder.record(fact, { settle: computeSettlement(start, usage, workResult) })
  tree.reservations.settle(state.run)
}

/** The most tokens of the reply: what the program wants, within what the user still allows it. */
const mostTokens = ({ state }: Drive, request: SamplingRequest): number =>
  Math.max(1, Math.min(request.maxTokens, countTokensLeft(state, request)))

const withoutTurn = <Event extends { readonly turn: number }>({ turn: _, ...event }: Event) => event

function replyFor(
  { stopSequences = [] }: SamplingRequest,
  reply: CheckedReply,
  model: string,
): SamplingReply {
  if (reply.error) return { type: "refused", reason: noReplyText }
  const text = reply.text.toWellFormed()
  const ends = stopSequences.map((sequence) => text.indexOf(sequence)).filter((at) => at >= 0)
  if (ends.length > 0)
    return { type: "reply", text: text.slice(0, Math.min(...ends)), model, stop: "sequence" }
  return { type: "reply", text, model, stop: reply.stop === "length" ? "length" : "end" }
}
