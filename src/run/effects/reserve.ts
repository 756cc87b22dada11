import { estimateAttachmentTokens } from "../../agent/attachments/tokens.ts"
import type { Model } from "../../agent/model.ts"
import type { Message, TokenUsage } from "../../ground/message.ts"
import { computeUsageCost, sumTokens } from "../../ground/usage.ts"
import type { LimitRefusal } from "../decide/record.ts"
import type { CompactionStart, ModelStart, SamplingStart } from "../log/event.ts"
import { type HiddenAttachments, listMessageAttachments, writeUnseenNote } from "../log/hidden-attachments.ts"
import { isProviderDataReference } from "../log/history-blobs.ts"
import type { StoreCharge } from "../log/store.ts"
import type { WorkResult } from "../ports/effect.ts"
import type { Drive } from "./drive-view.ts"

/** The reserved cost of a call without a known price. It is above 0, so that a limit that is used up still refuses. */
const unknownCost = 1e-6

/**
 * Records the start of a model call and reserves its tokens and cost. If the tree cannot afford all output tokens, it
 * reserves fewer. `most`: the most output tokens of this call. Undefined if the run now waits, or if its stop was recorded.
 */
export async function reserve<Start extends ModelStart | CompactionStart | SamplingStart>(
  drive: Drive,
  model: Model,
  inputTokens: number,
  begin: (reserved: ModelStart["reserved"]) => Start,
  most = Number.POSITIVE_INFINITY,
): Promise<Start | undefined> {
  const { state, recorder, tree } = drive
  const price = model.highestPrice?.(inputTokens) ?? model.price
  const bounded = Math.min(most, state.start!.limits.maxOutputTokens ?? Number.POSITIVE_INFINITY)
  let outputTokens = Number.isFinite(bounded) ? bounded : 1
  for (;;) {
    if (drive.isStopped) {
      // Other runs may be waiting until this run gives back a reservation.
      tree.reservations.settle(state.run)
      return undefined
    }
    const short = tree.reservations.shortBefore(state.run)
    if (short !== undefined) {
      drive.waitForSettlement(short)
      return undefined
    }
    const cost = price && inputTokens * price.input + outputTokens * price.output
    const start = begin({ inputTokens, outputTokens, ...(cost !== undefined && { cost }) })
    const { settlements } = tree.reservations
    tree.reservations.hold(state.run)
    const answer = await recorder.reserve(start, {
      tokens: inputTokens + outputTokens,
      cost: cost ?? unknownCost,
    })
    if (answer === "ok") {
      tree.reservations.leave(state.run)
      return start
    }
    tree.reservations.drop(state.run)
    if (tree.reservations.settlements !== settlements) continue
    if (tree.reservations.isHeldBelow(answer.run)) {
      // Other runs hold the allowance that this call needs, and will give back most of it.
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

/**
 * The difference between the actual usage and the reservation. The provider may bill usage that it does not report.
 * Therefore the unreported part of the reservation stays.
 */
export function computeSettlement(
  { reserved }: Pick<ModelStart, "reserved">,
  usage: TokenUsage,
  workResult: WorkResult<unknown>,
): StoreCharge {
  if (workResult.aborted !== undefined && workResult.type !== "value") return {}
  const { inputTokens = reserved.inputTokens, outputTokens = reserved.outputTokens } = usage
  const cost = computeUsageCost(usage) ?? (sumTokens(usage) === undefined ? reserved.cost : 0)
  return {
    tokens: inputTokens + outputTokens - reserved.inputTokens - reserved.outputTokens,
    cost: (cost ?? 0) - (reserved.cost ?? unknownCost),
  }
}

export function addMissingCost(usage: TokenUsage, { price }: Model): TokenUsage {
  const { inputTokens, outputTokens, cost } = usage
  if (cost !== undefined || !price || inputTokens === undefined || outputTokens === undefined) return usage
  return { ...usage, cost: inputTokens * price.input + outputTokens * price.output }
}

/**
 * An upper bound of the input tokens: the last reported input plus the UTF-8 bytes added since. A token has at least one
 * byte.
 */
export function estimateInput({ state, definition }: Drive, hidden?: HiddenAttachments): number {
  let bytes = state.inputTokens === 0 ? definition.fixedBytes + Buffer.byteLength(state.start!.task) : 0
  for (let index = state.inputTokens === 0 ? 0 : state.answered; index < state.messages.length; index++)
    bytes += bytesOf(state.messages.at(index)!, hidden)
  for (const note of state.inbox) bytes += Buffer.byteLength(note.text)
  // Counted in every turn: a loaded tool may not be in the last reported input yet.
  for (const name of state.loaded ?? [])
    bytes += Buffer.byteLength(JSON.stringify(definition.deferred.find((tool) => tool.name === name) ?? null))
  return state.inputTokens + bytes
}

function bytesOf(message: Message, hidden: HiddenAttachments | undefined): number {
  let bytes = Buffer.byteLength(message.text)
  for (const attachment of listMessageAttachments(message)) {
    const why = hidden?.get(attachment)
    bytes += why ? Buffer.byteLength(writeUnseenNote(attachment, why)) : estimateAttachmentTokens(attachment)
  }
  if (message.role !== "assistant") return bytes
  for (const call of message.calls) bytes += call.tool.length + Buffer.byteLength(call.arguments)
  const { provider } = message
  if (isProviderDataReference(provider)) bytes += provider.size
  else if (provider !== undefined) bytes += Buffer.byteLength(JSON.stringify(provider))
  return bytes
}

/** The number of output tokens that the remaining allowance pays for. */
function affordableOutput(
  { limit, remaining }: LimitRefusal,
  inputTokens: number,
  price: Model["price"],
): number {
  if (limit === "tokens") return Math.floor(remaining - inputTokens)
  return price ? Math.floor((remaining - inputTokens * price.input) / price.output) : 0
}
