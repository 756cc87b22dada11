import type { ModelError } from "../../agent/model.ts"
import { followedBy } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import type { Action } from "../decide/action.ts"
import { charactersPerToken, planCompaction, transcript } from "../decide/compaction.ts"
import type { CompactionEnd, Fact } from "../log/event.ts"
import { removedAttachments, summaryPrompt, withTask } from "../words/prompt.ts"
import { ask, failureOf, isRetried, mayFallBack, modelOf, passGate, retryDelay, retryFact } from "./ask.ts"
import type { Drive } from "./drive-view.ts"
import { priced, reserve, settlement } from "./reserve.ts"

/** Makes the history shorter after it did not fit: without the model where results can go, else by a summary of its own. */
export async function compact(
  drive: Drive,
  { turn, attempt, error }: Extract<Action, { type: "compact" }>,
): Promise<void> {
  const { recorder, tree, state } = drive
  const model = await modelOf(drive)
  if (drive.stopped) return
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
    const failed = tooLong(drive, error)
    return recorder.record(
      mayFallBack(state, failed)
        ? { type: "model-fallback", turn, attempt, from: model.id, error: failed }
        : end({ error: failed }),
    )
  }
  const { results, summarise } = plan
  if (summarise === 0) return recorder.record(end({ results }))
  if (passGate(drive, model) === "wait") return
  const text = transcript(state.messages, plan, Math.min(target ?? longestTranscript, longestTranscript))
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
  const settled = await ask(
    drive,
    model,
    start,
    { system: summaryPrompt, messages, tools: [], text: "kept" },
    async (reply) => reply,
  )
  // Nobody drives it any more: whoever does next asks again.
  if (settled.aborted !== undefined && drive.ended) return
  const reply = settled.type === "value" ? settled.value : failureOf(settled)
  const usage = priced(reply.usage, model)
  const summary = reply.text.toWellFormed().trim()
  const failed: ModelError | undefined =
    reply.error ?? (summary === "" ? { ...error, message: "its summary was empty" } : undefined)
  const delay = failed ? retryDelay(failed, attempt) : 0
  if (settled.aborted === undefined) drive.environment.gates.of(model)?.heard(failed, delay)
  const fact: Fact = !failed
    ? end({ usage, results, summary: { text: keepingPlace(drive, summary, summarise), replaces: summarise } })
    : settled.aborted === undefined && isRetried(state, failed, attempt)
      ? // The turn is tried again from its beginning, and comes back here if it still does not fit.
        { ...retryFact(drive, model, start, failed, delay), usage }
      : end({
          usage,
          error: {
            ...failed,
            message: followedBy(error.message, `Making the history shorter failed: ${failed.message}`),
          },
        })
  await recorder.record(fact, { settle: settlement(start, usage, settled) })
  tree.reservations.settle(state.run)
}

const longestTranscript = 400_000

/** A summary must not take the place of what the run is there for, nor of where it is in its workflow. */
function keepingPlace(
  { state: { messages, start, step } }: Drive,
  summary: string,
  replaced: number,
): string {
  const { task, opening = task, attachments } = start!
  const kept = [...messages].filter(({ role }, index) => role === "user" && (index === 0 || index > replaced))
  const whole = kept.some(({ text }) => text === opening)
    ? summary
    : withTask(
        summary,
        attachments ? `${opening}\n${removedAttachments(attachments.map(({ name }) => name))}` : opening,
      )
  return step && !kept.some(({ text }) => text.includes(step.text)) ? `${whole}\n\n${step.text}` : whole
}

function tooLong({ state, definition }: Drive, error: ModelError): ModelError {
  const history = [...state.messages].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return {
    ...error,
    message: followedBy(
      error.message,
      `The prompt and tools of ${definition.fixedBytes} bytes and the messages of ${history} bytes hold nothing that ` +
        "could be left out. Give it a shorter task or definition, or a model with a larger window.",
    ),
  }
}
