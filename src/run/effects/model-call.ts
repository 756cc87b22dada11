import type { Model, ModelError } from "../../agent/model.ts"
import { inspectCalls, signTurn } from "../begin/inspect.ts"
import type { Action } from "../decide/action.ts"
import type { AskedCall, Fact, ModelStart, Unseen } from "../log/event.ts"
import type { KeptData } from "../log/held.ts"
import { type LeftOut, unseenOf, unseenWarning } from "../log/left-out.ts"
import type { Settled } from "../ports/effect.ts"
import { accessesOf } from "../rights/accesses.ts"
import {
  ask,
  failureOf,
  isRetried,
  mayFallBack,
  modelOf,
  passGate,
  type ReadReply,
  retryDelay,
  retryFact,
} from "./ask.ts"
import { compact } from "./compact.ts"
import type { Drive } from "./drive-view.ts"
import { keepData } from "./keep-data.ts"
import { unknownAgent } from "./look-up-agent.ts"
import { isSameModel } from "./model-name.ts"
import { refusalOf } from "./refusal.ts"
import { estimateInput, priced, reserve, settlement } from "./reserve.ts"

/** Asks for a reply, or for a shorter history first. */
export const askModel = (
  drive: Drive,
  action: Extract<Action, { type: "call-model" | "compact" }>,
): Promise<void> => (action.type === "compact" ? compact(drive, action) : callModel(drive, action))

/** Reserves, asks the model, and records the reply, a retry, the next model of the list or a failure. */
async function callModel(drive: Drive, action: Extract<Action, { type: "call-model" }>): Promise<void> {
  const { tree } = drive
  const model = await modelOf(drive)
  if (drive.stopped || passGate(drive, model) === "wait") return
  const { turn, attempt, closing } = action
  const left = drive.blobs?.leftOut(drive.state.messages, model)
  const unseen = left && left.size > 0 ? untold(drive, model, left) : []
  const start = await reserve(drive, model, estimateInput(drive, left), (reserved) => ({
    type: "model-start",
    turn,
    attempt,
    model: model.id,
    ...(closing && { closing }),
    ...(unseen.length > 0 && { unseen }),
    reserved,
  }))
  if (!start) return
  const settled = await answerOf(drive, model, start, left)
  // Nobody drives it any more: whoever does next asks again.
  if (settled.aborted !== undefined && drive.ended) return
  const data = settled.type === "value" ? settled.value.reply.providerText : undefined
  // A promise more only where there is something to keep.
  const kept = data === undefined ? undefined : await keepData(drive, data)
  await record(drive, model, start, settled, kept)
  tree.reservations.settle(drive.state.run)
}

/** Apart from what comes after it: a thousand may wait here, and each would hold the frame of all of it. */
function answerOf(
  drive: Drive,
  model: Model,
  start: ModelStart,
  left: LeftOut | undefined,
): Promise<Settled<Answer>> {
  const { definition, system, state } = drive
  const tools = start.closing ? definition.closing : definition.offered
  const messages = drive.blobs?.messagesOf(state.messages, left) ?? state.messages
  const question = { system, messages, tools, text: "live" } as const
  return ask(drive, model, start, question, (reply) => inspect(drive, start, reply))
}

/** What a model is not shown and the log does not say yet. */
const untold = ({ state: { warnings = [] } }: Drive, { id }: Model, left: LeftOut): readonly Unseen[] =>
  [...left]
    .map(([attachment, why]) => unseenOf(attachment, why))
    .filter((unseen) => !warnings.includes(unseenWarning(unseen, id)))
    .toReversed()

function record(
  drive: Drive,
  model: Model,
  start: ModelStart,
  settled: Settled<Answer>,
  kept: KeptData | undefined,
): Promise<void> {
  const { turn, attempt } = start
  const { reply, calls } = settled.type === "value" ? settled.value : { reply: failureOf(settled), calls: [] }
  const usage = priced(reply.usage, model)
  const error = reply.error ?? mismatch(drive, model, reply)
  const delay = error ? retryDelay(error, attempt) : 0
  if (settled.aborted === undefined) drive.environment.gates.of(model)?.heard(error, delay)
  const next = error && settled.aborted === undefined ? afterFailure(drive, start, error) : "end"
  const fact: Fact =
    next === "retry"
      ? { ...retryFact(drive, model, start, error!, delay), usage }
      : next === "fall-back"
        ? { type: "model-fallback", turn, attempt, from: model.id, error: error!, usage }
        : {
            ...ending(drive, model, start, { reply, calls }),
            ...(kept && { provider: { ...kept } }),
            usage,
            ...(error && { error }),
          }
  if (fact.type === "model-end" && calls.length > 0) {
    drive.wires ??= new Set()
    for (const call of calls) drive.wires.add(call.wire)
  }
  return drive.recorder.record(fact, { settle: settlement(start, usage, settled) })
}

/** A reply with its calls numbered and checked. */
interface Answer {
  readonly reply: ReadReply
  readonly calls: readonly AskedCall[]
}

async function inspect(drive: Drive, { closing }: ModelStart, reply: ReadReply): Promise<Answer> {
  const calls = await inspectCalls(reply, drive.definition, {
    firstNumber: drive.state.callCount + 1,
    usedWires: drive.wires,
    closing: closing === true,
    keepInput: (call, input) => drive.keepInput(call, input),
    refusalOf: (tool) => refusalOf(drive, tool),
    unknownAgent: (tool, input) => unknownAgent(drive, tool, input),
    accessesOf: (tool, input) =>
      accessesOf(drive.environment, tool, input, drive.state.run, drive.state.start!),
  })
  return { reply, calls }
}

/** What did not fit is made shorter once. */
function afterFailure(
  { state }: Drive,
  { attempt }: ModelStart,
  error: ModelError,
): "retry" | "fall-back" | "end" {
  const { kind } = error
  if (kind === "overflow" && !state.compacted) return "retry"
  if (kind !== "overflow" && isRetried(state, error, attempt)) return "retry"
  return mayFallBack(state, error) && kind !== "aborted" ? "fall-back" : "end"
}

/** Where the run is strict about it, another model than was asked for is no answer. */
function mismatch({ state }: Drive, { asks }: Model, { model }: ReadReply): ModelError | undefined {
  if (!state.start!.model.strict || asks === undefined || model === undefined || isSameModel(asks, model))
    return undefined
  return {
    kind: "rejected",
    message: `The provider was asked for ${asks} and reports that it ran ${model}, which strictModel does not let pass.`,
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
