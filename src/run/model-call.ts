import { messageOf } from "../errors.ts"
import type { Message, Usage } from "../message.ts"
import type { Model, ModelError, ModelReply, ModelRequest } from "../model.ts"
import { now } from "./clock.ts"
import { compose } from "./compose.ts"
import type { Action } from "./decide.ts"
import type { Drive } from "./drive.ts"
import { Running, type Settled } from "./effect.ts"
import type { AskedCall, ModelStart } from "./event.ts"
import { inspectCalls, signTurn } from "./inspect.ts"
import type { LimitRefusal } from "./record.ts"
import type { Charge } from "./store.ts"

const maxAttempts = 5
/** Asked for in place of a cost that nobody can tell beforehand, so that a limit that is used up still refuses. */
const unknownPrice = 1e-6
const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** Reserves, asks the model, and records the reply, a retry or a failure. */
export async function callModel(
  drive: Drive,
  action: Extract<Action, { type: "call-model" }>,
): Promise<void> {
  const { environment, recorder, tree } = drive
  const model = await environment.resolveModel(drive.state.start!.model.name)
  if (drive.stopped) return
  const start = await reserve(drive, model, action)
  if (!start) return
  drive.heard = now()
  // A stop may have been recorded just before the start was: then nothing is asked.
  const settled: Settled<Answer> = drive.stopped
    ? { type: "value", value: notAsked }
    : await drive.settle(
        "model",
        new Running(({ signal }) => ask(drive, model, start, signal), { lender: drive }),
      )
  const { reply, calls } = answerOf(settled)
  const { turn, attempt } = start
  const usage = priced(reply.usage, model)
  const settle = settlement(start, usage, settled)
  if (reply.error?.retryable && attempt < maxAttempts && settled.aborted === undefined) {
    const notBefore = now() + retryDelay(reply.error, attempt)
    await recorder.record(
      { type: "model-retry", turn, attempt, notBefore, error: reply.error, usage },
      { settle },
    )
  } else {
    if (calls.length > 0) drive.wires ??= new Set()
    for (const call of calls) drive.wires!.add(call.wire)
    const signature = signTurn(calls, drive.definition)
    await recorder.record(
      {
        type: "model-end",
        turn,
        attempt,
        text: reply.text.toWellFormed(),
        calls,
        usage,
        stop: reply.stop,
        ...(reply.model !== undefined && { reported: reply.model }),
        ...(reply.provider !== undefined && { provider: reply.provider }),
        ...(signature !== undefined && { signature }),
        ...(reply.error && { error: reply.error }),
      },
      { settle },
    )
  }
  tree.reservations.settle(drive.state.run)
}

/** Records `model-start` with as much output as the tree can afford; undefined where the call must wait or the run stop. */
async function reserve(
  drive: Drive,
  model: Model,
  action: Extract<Action, { type: "call-model" }>,
): Promise<ModelStart | undefined> {
  const { state, recorder, tree } = drive
  const { turn, attempt, closing } = action
  const inputTokens = estimateInput(drive)
  let outputTokens = state.start!.limits.maxOutputTokens ?? 1
  for (;;) {
    if (drive.stopped) return undefined
    const cost = model.price && inputTokens * model.price.input + outputTokens * model.price.output
    const reserved = { inputTokens, outputTokens, ...(cost !== undefined && { cost }) }
    const start: ModelStart = {
      type: "model-start",
      turn,
      attempt,
      model: model.id,
      ...(closing && { closing }),
      reserved,
    }
    const { settlements } = tree.reservations
    tree.reservations.hold(state.run)
    const answer = await recorder.reserve(start, {
      tokens: inputTokens + outputTokens,
      cost: cost ?? unknownPrice,
    })
    if (answer === "ok") return start
    tree.reservations.drop(state.run)
    if (tree.reservations.settlements !== settlements) continue
    if (tree.reservations.isHeldBelow(answer.run)) {
      // Others hold what this call needs and will give most of it back.
      drive.waitForSettlement()
      return undefined
    }
    const affordable = affordableOutput(answer, inputTokens, model)
    if (affordable < 1 || affordable >= outputTokens) {
      const limit = answer.limit === "cost" ? "cost" : "tokens"
      await recorder.record({ type: "run-stop", outcome: { type: "limit", limit } })
      // Others may wait for what this one seemed to hold.
      tree.reservations.settle(state.run)
      return undefined
    }
    outputTokens = affordable
  }
}

/** How many output tokens what is left would pay for. */
function affordableOutput({ limit, remaining }: LimitRefusal, inputTokens: number, { price }: Model): number {
  if (limit === "tokens") return Math.floor(remaining - inputTokens)
  return price ? Math.floor((remaining - inputTokens * price.input) / price.output) : 0
}

/** A reply with its calls numbered and checked: validators are foreign code, so they too are told when to stop. */
interface Answer {
  readonly reply: ModelReply
  readonly calls: readonly AskedCall[]
}

async function ask(drive: Drive, model: Model, start: ModelStart, signal: AbortSignal): Promise<Answer> {
  const { state, definition, environment } = drive
  const { turn, attempt } = start
  const request: ModelRequest = {
    run: state.run,
    agent: state.start!.agent,
    turn,
    attempt,
    system: drive.system,
    messages: state.messages,
    tools: start.closing ? definition.closing : definition.offered,
    ...(state.start!.metered && { maxOutputTokens: start.reserved.outputTokens }),
    signal,
  }
  const reply = await compose(environment.layers.model ?? [], (request: ModelRequest) =>
    model.stream(request, (delta) => {
      drive.heard = now()
      if (delta.type === "text")
        environment.emit({ type: "text-delta", run: state.run, turn, attempt, text: delta.text })
    }),
  )(request)
  if (!isReply(reply))
    throw new Error("The model gave a reply without text, calls or usage. This is a fault of its client.")
  const calls = await inspectCalls(reply, definition, {
    firstNumber: state.callCount + 1,
    usedWires: drive.wires,
    closing: start.closing === true,
    keepInput: (call, input) => drive.keepInput(call, input),
  })
  return { reply, calls }
}

/** Last reported input plus the UTF-8 bytes added since: never less than what the provider will count. */
function estimateInput({ state, definition }: Drive): number {
  let bytes = state.inputTokens === 0 ? definition.fixedBytes + Buffer.byteLength(state.start!.task) : 0
  for (let index = state.inputTokens === 0 ? 0 : state.answered; index < state.messages.length; index++)
    bytes += bytesOf(state.messages.at(index)!)
  for (const note of state.inbox) bytes += Buffer.byteLength(note.text)
  return state.inputTokens + bytes
}

function bytesOf(message: Message): number {
  let bytes = Buffer.byteLength(message.text)
  if (message.role !== "assistant") return bytes
  for (const call of message.calls) bytes += call.tool.length + Buffer.byteLength(call.arguments)
  if (message.provider !== undefined) bytes += Buffer.byteLength(JSON.stringify(message.provider))
  return bytes
}

/** A model that throws or answers in another shape breaks its contract; the run ends as failed and says so. */
function answerOf(settled: Settled<Answer>): Answer {
  if (settled.type === "value") return settled.value
  const message = settled.type === "abandoned" ? settled.aborted : messageOf(settled.error)
  return failedWith({
    kind: settled.aborted === undefined ? "protocol" : "aborted",
    message,
    retryable: false,
  })
}

const failedWith = (error: ModelError): Answer => ({
  reply: { text: "", calls: [], usage: noUsage, stop: "other", error },
  calls: [],
})

const notAsked = failedWith({ kind: "aborted", message: "the run is stopping", retryable: false })

const isReply = (reply: ModelReply | undefined): boolean =>
  typeof reply?.text === "string" &&
  Array.isArray(reply.calls) &&
  reply.calls.every(
    (call) =>
      typeof call?.tool === "string" && typeof call.arguments === "string" && typeof call.wire === "string",
  ) &&
  Number.isFinite(reply.usage?.inputTokens) &&
  Number.isFinite(reply.usage?.outputTokens)

/** What the reservation was too much or too little. An abandoned request may yet be billed: its reservation stands. */
function settlement({ reserved }: ModelStart, usage: Usage, settled: Settled<Answer>): Charge {
  if (settled.aborted !== undefined && settled.type !== "value") return {}
  return {
    tokens: usage.inputTokens + usage.outputTokens - reserved.inputTokens - reserved.outputTokens,
    cost: (usage.cost ?? 0) - (reserved.cost ?? unknownPrice),
  }
}

const priced = (usage: Usage, { price }: Model): Usage =>
  usage.cost !== undefined || !price
    ? usage
    : { ...usage, cost: usage.inputTokens * price.input + usage.outputTokens * price.output }

/** Exponential with jitter; what the provider asked for is a floor. */
function retryDelay(error: ModelError, attempt: number): number {
  const backoff = Math.min(30_000, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  return Math.max(error.retryAfter ?? 0, 0) + backoff
}
