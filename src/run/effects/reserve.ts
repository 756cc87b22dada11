import { attachmentTokens } from "../../agent/attachments/tokens.ts"
import type { Model } from "../../agent/model.ts"
import type { Message, Usage } from "../../ground/message.ts"
import { costOf, tokensOf } from "../../ground/usage.ts"
import type { LimitRefusal } from "../decide/record.ts"
import type { CompactionStart, ModelStart } from "../log/event.ts"
import { isKept } from "../log/held.ts"
import { attachmentsOf, type LeftOut, unseenNote } from "../log/left-out.ts"
import type { Charge } from "../log/store.ts"
import type { Settled } from "../ports/effect.ts"
import type { Drive } from "./drive-view.ts"

/** Asked for in place of a cost that nobody can tell beforehand, so that a limit that is used up still refuses. */
const unknownPrice = 1e-6

/** Records that a model is about to be asked, with as much output as the tree can afford; undefined where it must wait or the run stop. */
export async function reserve<Start extends ModelStart | CompactionStart>(
  drive: Drive,
  model: Model,
  inputTokens: number,
  begin: (reserved: ModelStart["reserved"]) => Start,
): Promise<Start | undefined> {
  const { state, recorder, tree } = drive
  const price = model.highestPrice?.(inputTokens) ?? model.price
  let outputTokens = state.start!.limits.maxOutputTokens ?? 1
  for (;;) {
    if (drive.stopped) {
      // Others may wait for what this one seemed to hold.
      tree.reservations.settle(state.run)
      return undefined
    }
    const taken = tree.reservations.shortBefore(state.run)
    if (taken !== undefined) {
      drive.waitForSettlement(taken)
      return undefined
    }
    const cost = price && inputTokens * price.input + outputTokens * price.output
    const start = begin({ inputTokens, outputTokens, ...(cost !== undefined && { cost }) })
    const { settlements } = tree.reservations
    tree.reservations.hold(state.run)
    const answer = await recorder.reserve(start, {
      tokens: inputTokens + outputTokens,
      cost: cost ?? unknownPrice,
    })
    if (answer === "ok") {
      tree.reservations.leave(state.run)
      return start
    }
    tree.reservations.drop(state.run)
    if (tree.reservations.settlements !== settlements) continue
    if (tree.reservations.isHeldBelow(answer.run)) {
      // Others hold what this call needs and will give most of it back.
      drive.waitForSettlement(answer.run)
      return undefined
    }
    const affordable = affordableOutput(answer, inputTokens, price)
    if (affordable < 1 || affordable >= outputTokens) {
      const limit = answer.limit === "cost" ? "cost" : "tokens"
      await recorder.record({ type: "run-stop", outcome: { type: "limit", limit } })
      tree.reservations.settle(state.run)
      return undefined
    }
    outputTokens = affordable
  }
}

/** What the reservation was too much or too little. What nobody told may yet be billed: that part of it stands. */
export function settlement(
  { reserved }: Pick<ModelStart, "reserved">,
  usage: Usage,
  settled: Settled<unknown>,
): Charge {
  if (settled.aborted !== undefined && settled.type !== "value") return {}
  const { inputTokens = reserved.inputTokens, outputTokens = reserved.outputTokens } = usage
  const cost = costOf(usage) ?? (tokensOf(usage) === undefined ? reserved.cost : 0)
  return {
    tokens: inputTokens + outputTokens - reserved.inputTokens - reserved.outputTokens,
    cost: (cost ?? 0) - (reserved.cost ?? unknownPrice),
  }
}

export function priced(usage: Usage, { price }: Model): Usage {
  const { inputTokens, outputTokens, cost } = usage
  if (cost !== undefined || !price || inputTokens === undefined || outputTokens === undefined) return usage
  return { ...usage, cost: inputTokens * price.input + outputTokens * price.output }
}

/** Last reported input plus the UTF-8 bytes added since: never less than what the provider will count. */
export function estimateInput({ state, definition }: Drive, left?: LeftOut): number {
  let bytes = state.inputTokens === 0 ? definition.fixedBytes + Buffer.byteLength(state.start!.task) : 0
  for (let index = state.inputTokens === 0 ? 0 : state.answered; index < state.messages.length; index++)
    bytes += bytesOf(state.messages.at(index)!, left)
  for (const note of state.inbox) bytes += Buffer.byteLength(note.text)
  return state.inputTokens + bytes
}

function bytesOf(message: Message, left: LeftOut | undefined): number {
  let bytes = Buffer.byteLength(message.text)
  for (const attachment of attachmentsOf(message)) {
    const why = left?.get(attachment)
    bytes += why ? Buffer.byteLength(unseenNote(attachment, why)) : attachmentTokens(attachment)
  }
  if (message.role !== "assistant") return bytes
  for (const call of message.calls) bytes += call.tool.length + Buffer.byteLength(call.arguments)
  const { provider } = message
  if (isKept(provider)) bytes += provider.size
  else if (provider !== undefined) bytes += Buffer.byteLength(JSON.stringify(provider))
  return bytes
}

/** How many output tokens what is left would pay for. */
function affordableOutput(
  { limit, remaining }: LimitRefusal,
  inputTokens: number,
  price: Model["price"],
): number {
  if (limit === "tokens") return Math.floor(remaining - inputTokens)
  return price ? Math.floor((remaining - inputTokens * price.input) / price.output) : 0
}
