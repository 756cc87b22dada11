import type { Usage } from "../../../ground/message.ts"
import { knownOf, tokensOf } from "../../../ground/usage.ts"
import type { ModelWait } from "../../../run/log/event-model.ts"
import type { Outcome } from "../../../run/log/event-outcome.ts"

/** How a run ended, in a few words. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case "completed":
      return "completed"
    case "no-output":
      return "ended without any output"
    case "limit":
      return `ended by its limit of ${outcome.limit}${outcome.reason === undefined ? "" : ` (${outcome.reason})`}`
    case "timed-out":
      return outcome.clock === "timeout" ? "timed out" : "timed out: nothing was heard"
    default:
      return `${outcome.type}: ${outcome.reason}`
  }
}

/** The line names the server that a run waits for, and until when it waits. */
export function waitText({ for: host, reason, attempt, next, until }: ModelWait): string {
  const time = until === undefined ? `, tries again at ${clockText(next)}` : ` until ${clockText(until)}`
  return `waits for ${host}${time}: ${reason.replace(/\.$/, "")}, attempt ${attempt}`
}

/** As a clock on this machine's wall shows it. */
const clockText = (time: number): string => {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":")
}

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${Math.floor(seconds % 60)}s` : `${Math.floor(seconds)}s`
}

export function countText(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** What nobody told is unknown; what is known of it beside that is the least it can be. */
export function tokensText(usage: Usage): string {
  const tokens = tokensOf(usage)
  if (tokens !== undefined) return `${countText(tokens)} tokens`
  const { inputTokens, outputTokens } = knownOf(usage)
  const known = inputTokens + outputTokens
  return known > 0 ? `at least ${countText(known)} tokens` : "tokens unknown"
}

/** In US dollars, as prices are. What is too little to be shown is not nothing. */
export const costText = (cost: number): string =>
  cost > 0 && cost < 0.0001 ? "cost below $0.0001" : `cost ${moneyText(cost)}`

/** The same for a column. */
export const moneyText = (cost: number): string =>
  cost > 0 && cost < 0.0001 ? "<$0.0001" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`
