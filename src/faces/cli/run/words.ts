import type { TokenUsage } from "../../../ground/message.ts"
import { getKnownUsage, sumTokens } from "../../../ground/usage.ts"
import type { ModelWait } from "../../../run/log/event-model.ts"
import type { RunOutcome } from "../../../run/log/event-outcome.ts"

/** How a run ended, in a few words. */
export function nameOutcome(outcome: RunOutcome): string {
  switch (outcome.type) {
    case "completed":
      return "completed"
    case "no-output":
      return "ended without any output"
    case "limit":
      return `reached its limit of ${outcome.limit}${outcome.reason === undefined ? "" : ` (${outcome.reason})`}`
    case "timed-out":
      return outcome.clock === "timeout" ? "timed out" : "timed out: no response"
    default:
      return `${outcome.type}: ${outcome.reason}`
  }
}

/** Names the server that a run waits for, and the time until which it waits. */
export function waitText({ for: host, reason, attempt, next, until }: ModelWait): string {
  const time = until === undefined ? `, retries at ${clockText(next)}` : ` until ${clockText(until)}`
  return `waits for ${host}${time}: ${reason.replace(/\.$/, "")}, attempt ${attempt}`
}

/** The local time, as HH:MM. */
const clockText = (time: number): string => {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":")
}

export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`
  const rest = Math.floor(seconds % 60)
  if (minutes === 0) return `${rest}s`
  return rest > 0 ? `${minutes}m ${rest}s` : `${minutes}m`
}

/** The time since something, in its largest unit. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
}

/** A limit as options take it: times such as `1h` and `1m30s`, everything else as a number. */
export function formatLimit(name: string, value: number): string {
  if (!timeLimits.has(name)) return String(value)
  if (value < 1_000 || value % 1_000 !== 0) return `${value}ms`
  const seconds = value / 1_000
  const parts = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join("")
}

const timeLimits = new Set(["timeout", "idleTimeout", "toolTimeout", "providerWait", "approvalTimeout"])

export function countText(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** The number of tokens. If a part of it is unknown, the known part is a minimum. */
export function describeTokens(usage: TokenUsage): string {
  const tokens = sumTokens(usage)
  if (tokens !== undefined) return `${countText(tokens)} tokens`
  const { inputTokens, outputTokens } = getKnownUsage(usage)
  const knownTokens = inputTokens + outputTokens
  return knownTokens > 0 ? `at least ${countText(knownTokens)} tokens` : "tokens unknown"
}

/** The cost in US dollars. A tiny cost is not shown as zero. */
export const describeCost = (cost: number): string =>
  cost > 0 && cost < 0.0001 ? "cost below $0.0001" : `cost ${formatMoney(cost)}`

/** The cost for a table column. */
export const formatMoney = (cost: number): string =>
  cost > 0 && cost < 0.0001 ? "<$0.0001" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`
