import type { Model, ModelError } from "../../agent/model.ts"
import { inspectCalls, signTurn } from "../begin/inspect.ts"
import type { Action } from "../decide/action.ts"
import type { AskedCall, Fact, ModelStart, UnseenAttachment } from "../log/event.ts"
import { describeUnseen, type HiddenAttachments, toUnseen } from "../log/hidden-attachments.ts"
import type { ProviderDataReference } from "../log/history-blobs.ts"
import type { WorkResult } from "../ports/effect.ts"
import { resolveAccesses } from "../rights/accesses.ts"
import {
  askOnce,
  type CheckedReply,
  createRetryEvent,
  makeFailedReply,
  mayRetry,
  mayUseNextModel,
  openCurrentModel,
  passGate,
  retryDelay,
} from "./ask.ts"
import type { Drive } from "./drive-view.ts"
import { workPlaceOf } from "./execute-tool.ts"
import { storeProviderData } from "./keep-data.ts"
import { findUnknownAgentProblem } from "./look-up-agent.ts"
import { isSameModel } from "./model-name.ts"
import { explainRefusal } from "./refusal.ts"
import { addMissingCost, computeSettlement, estimateInput, reserve } from "./reserve.ts"

/** Asks for a reply, for the run or for a program that it works with. Or shortens the history first. */
export async function askModel(
  drive: Drive,
  action: Extract<Action, { type: "call-model" | "compact" | "sample" }>,
): Promise<void> {
  switch (action.type) {
    case "call-model":
      return callModel(drive, action)
    case "compact":
      return (await import("./compact.ts")).compact(drive, action)
    case "sample":
      return (await import("./sample.ts")).answerProgram(drive, action)
  }
}

/**
 * Reserves, asks the model, and records the result: the reply, a retry, the next model of the list or a
 * failure.
 */
async function callModel(drive: Drive, action: Extract<Action, { type: "call-model" }>): Promise<void> {
  const { tree } = drive
  const model = await openCurrentModel(drive)
  if (drive.isStopped || passGate(drive, model) === "wait") return
  const { turn, attempt, closing } = action
  const hidden = drive.blobs?.findHidden(drive.state.messages, model)
  const unseen = hidden && hidden.size > 0 ? newlyHidden(drive, model, hidden) : []
  const start = await reserve(drive, model, estimateInput(drive, hidden), (reserved) => ({
    type: "model-start",
    turn,
    attempt,
    model: model.id,
    ...(closing && { closing }),
    ...(unseen.length > 0 && { unseen }),
    reserved,
  }))
  if (!start) return
  const workResult = await answerOf(
    drive,
    model,
    { ...start, ...(action.loaded && { loaded: action.loaded }) },
    hidden,
  )
  // This process no longer drives the run. The next owner asks again.
  if (workResult.aborted !== undefined && drive.isEnded) return
  const data = workResult.type === "value" ? workResult.value.reply.providerText : undefined
  // Awaits only where there is something to store.
  const providerData = data === undefined ? undefined : await storeProviderData(drive, data)
  await record(drive, model, start, workResult, providerData)
  tree.reservations.settle(drive.state.run)
}

/**
 * A separate function, because a thousand runs may wait here, and each would keep the whole frame of its
 * caller.
 */
function answerOf(
  drive: Drive,
  model: Model,
  { loaded, ...start }: ModelStart & { readonly loaded?: readonly string[] },
  hidden: HiddenAttachments | undefined,
): Promise<WorkResult<Answer>> {
  const { definition, system, state } = drive
  const tools = start.closing ? definition.closing : offeredTools(definition, loaded)
  const messages = drive.blobs?.messagesOf(state.messages, hidden) ?? state.messages
  const question = { system, messages, tools, text: "live" } as const
  return askOnce(drive, model, start, question, (reply) => inspect(drive, start, reply))
}

/** Loaded tools come last, so that the tools before them stay the same for a provider's cache. */
const offeredTools = (
  { offered, deferred }: Drive["definition"],
  loaded: readonly string[] | undefined,
): Drive["definition"]["offered"] =>
  loaded
    ? [...offered, ...loaded.flatMap((name) => deferred.find((tool) => tool.name === name) ?? [])]
    : offered

/** The attachments that a model is not shown and that the log does not mention yet. */
const newlyHidden = (
  { state: { warnings = [] } }: Drive,
  { id }: Model,
  hidden: HiddenAttachments,
): readonly UnseenAttachment[] =>
  [...hidden]
    .map(([attachment, why]) => toUnseen(attachment, why))
    .filter((unseen) => !warnings.includes(describeUnseen(unseen, id)))
    .toReversed()

function record(
  drive: Drive,
  model: Model,
  start: ModelStart,
  workResult: WorkResult<Answer>,
  providerData: ProviderDataReference | undefined,
): Promise<void> {
  const { turn, attempt } = start
  const { reply, calls } =
    workResult.type === "value" ? workResult.value : { reply: makeFailedReply(workResult), calls: [] }
  const usage = addMissingCost(reply.usage, model)
  const error = reply.error ?? mismatch(drive, model, reply)
  const delay = error ? retryDelay(error, attempt) : 0
  if (workResult.aborted === undefined) drive.environment.gates.of(model)?.recordResult(error, delay)
  const next = error && workResult.aborted === undefined ? afterFailure(drive, start, error) : "end"
  const fact: Fact =
    next === "retry"
      ? { ...createRetryEvent(drive, model, start, error!, delay), usage }
      : next === "fall-back"
        ? { type: "model-fallback", turn, attempt, from: model.id, error: error!, usage }
        : {
            ...ending(drive, model, start, { reply, calls }),
            ...(providerData && { provider: { ...providerData } }),
            usage,
            ...(error && { error }),
          }
  if (fact.type === "model-end" && calls.length > 0) {
    drive.wires ??= new Set()
    for (const call of calls) drive.wires.add(call.wire)
  }
  return drive.recorder.record(fact, { settle: computeSettlement(start, usage, workResult) })
}

/** A reply with its calls numbered and checked. */
interface Answer {
  readonly reply: CheckedReply
  readonly calls: readonly AskedCall[]
}

async function inspect(drive: Drive, { closing }: ModelStart, reply: CheckedReply): Promise<Answer> {
  const calls = await inspectCalls(reply, drive.definition, {
    firstNumber: drive.state.callCount + 1,
    usedWires: drive.wires,
    closing: closing === true,
    keepInput: (call, input) => drive.inputs.keep(call, input),
    refusalOf: (tool) => explainRefusal(drive, tool),
    unknownAgent: (tool, input) => findUnknownAgentProblem(drive, tool, input),
    accessesOf: (tool, input) =>
      resolveAccesses(drive.environment, tool, input, drive.state.run, workPlaceOf(drive, tool)),
  })
  return { reply, calls }
}

/** Decides the next step after a failure. A history that did not fit is shortened only once. */
function afterFailure(
  { state }: Drive,
  { attempt }: ModelStart,
  error: ModelError,
): "retry" | "fall-back" | "end" {
  const { kind } = error
  if (kind === "overflow" && !state.compacted) return "retry"
  if (kind !== "overflow" && mayRetry(state, error, attempt)) return "retry"
  return mayUseNextModel(state, error) && kind !== "aborted" ? "fall-back" : "end"
}

/** In strict mode, a reply from another model than the requested one is an error. */
function mismatch({ state }: Drive, { asks }: Model, { model }: CheckedReply): ModelError | undefined {
  if (!state.start!.model.strict || asks === undefined || model === undefined || isSameModel(asks, model))
    return undefined
  return {
    kind: "rejected",
    message: `The provider was asked for ${asks} but reports that it ran ${model}, and strictModel does not allow that.`,
    retryable: false,
  }
}

function ending(
  drive: Drive,
  { asks }: Model,
  { turn, attempt }: ModelStart,
  { reply, calls }: Answer,
): Omit<Extract<Fact, { type: "model-end" }>, "usage"> {
  const signature = signTurn(calls, drive.definition)
  const { model: reported } = reply
  return {
    type: "model-end",
    turn,
    attempt,
    text: reply.text.toWellFormed(),
    calls,
    stop: reply.stop,
    ...(reply.finish !== undefined && { finish: reply.finish }),
    ...(reply.cutCalls !== undefined && { cutCalls: reply.cutCalls }),
    ...(reported !== undefined && { reported }),
    ...(reported !== undefined && asks !== undefined && !isSameModel(asks, reported) && { asked: asks }),
    ...(signature !== undefined && { signature }),
  }
}
