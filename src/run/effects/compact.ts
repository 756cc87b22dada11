import type { ModelError } from "../../agent/model.ts"
import { appendSentence } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import type { Action } from "../decide/action.ts"
import { charactersPerToken, planCompaction, writeTranscript } from "../decide/compaction.ts"
import type { CompactionEnd, Fact } from "../log/event.ts"
import { appendTask, describeRemovedAttachments, summaryPrompt } from "../words/prompt.ts"
import {
  askOnce,
  createRetryEvent,
  makeFailedReply,
  mayRetry,
  mayUseNextModel,
  openCurrentModel,
  passGate,
  retryDelay,
} from "./ask.ts"
import type { Drive } from "./drive-view.ts"
import { addMissingCost, computeSettlement, reserve } from "./reserve.ts"

/**
 * Shortens the history after it did not fit: by removing tool results if that is enough, otherwise by a
 * summary of the model.
 */
export async function compact(
  drive: Drive,
  { turn, attempt, error }: Extract<Action, { type: "compact" }>,
): Promise<void> {
  const { recorder, tree, state } = drive
  const model = await openCurrentModel(drive)
  if (drive.isStopped) return
  const end = (rest: Partial<CompactionEnd>): CompactionEnd => ({
    type: "compaction-end",
    turn,
    attempt,
    results: [],
    ...rest,
  })
  const target = model.window && model.window * charactersPerToken
  const plan = planCompaction(state.messages, target)
  if (!plan) {
    const failure = tooLong(drive, error)
    return recorder.record(
      mayUseNextModel(state, failure)
        ? { type: "model-fallback", turn, attempt, from: model.id, error: failure }
        : end({ error: failure }),
    )
  }
  const { results, summarise } = plan
  if (summarise === 0) return recorder.record(end({ results }))
  if (passGate(drive, model) === "wait") return
  const text = writeTranscript(state.messages, plan, Math.min(target ?? longestTranscript, longestTranscript))
  const inputTokens = Buffer.byteLength(text) + Buffer.byteLength(summaryPrompt)
  const start = await reserve(drive, model, inputTokens, (reserved) => ({
    type: "compaction-start",
    turn,
    attempt,
    model: model.id,
    reserved,
  }))
  if (!start) return
  const messages: readonly Message[] = [{ role: "user", text }]
  const workResult = await askOnce(
    drive,
    model,
    start,
    { system: summaryPrompt, messages, tools: [], text: "kept" },
    async (reply) => reply,
  )
  // This process no longer drives the run. The next owner asks again.
  if (workResult.aborted !== undefined && drive.isEnded) return
  const reply = workResult.type === "value" ? workResult.value : makeFailedReply(workResult)
  const usage = addMissingCost(reply.usage, model)
  const summary = reply.text.toWellFormed().trim()
  const failure: ModelError | undefined =
    reply.error ?? (summary === "" ? { ...error, message: "its summary was empty" } : undefined)
  const delay = failure ? retryDelay(failure, attempt) : 0
  if (workResult.aborted === undefined) drive.environment.gates.of(model)?.recordResult(failure, delay)
  const fact: Fact = !failure
    ? end({ usage, results, summary: { text: keepingPlace(drive, summary, summarise), replaces: summarise } })
    : workResult.aborted === undefined && mayRetry(state, failure, attempt)
      ? // The turn is repeated from its beginning, and comes back here if the history still does not fit.
        { ...createRetryEvent(drive, model, start, failure, delay), usage }
      : end({
          usage,
          error: {
            ...failure,
            message: appendSentence(error.message, `Shortening the history failed: ${failure.message}`),
          },
        })
  await recorder.record(fact, { settle: computeSettlement(start, usage, workResult) })
  tree.reservations.settle(state.run)
}

const longestTranscript = 400_000

/** A summary must not replace the run's task or the current step of its workflow. */
function keepingPlace(
  { state: { messages, start, step } }: Drive,
  summary: string,
  replaced: number,
): string {
  const { task, opening = task, attachments } = start!
  const remaining = [...messages].filter(
    ({ role }, index) => role === "user" && (index === 0 || index > replaced),
  )
  const whole = remaining.some(({ text }) => text === opening)
    ? summary
    : appendTask(
        summary,
        attachments
          ? `${opening}\n${describeRemovedAttachments(attachments.map(({ name }) => name))}`
          : opening,
      )
  return step && !remaining.some(({ text }) => text.includes(step.text)) ? `${whole}\n\n${step.text}` : whole
}

function tooLong({ state, definition }: Drive, error: ModelError): ModelError {
  const history = [...state.messages].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return {
    ...error,
    message: appendSentence(
      error.message,
      `The prompt and tools (${definition.fixedBytes} bytes) and the messages (${history} bytes) have nothing that ` +
        "could be left out. Use a shorter task or definition, or a model with a larger window.",
    ),
  }
}
