import type { ModelError } from "../../../agent/model.ts"
import type { Said } from "./error-words.ts"

export interface ErrorClass {
  readonly kind: ModelError["kind"]
  readonly retry: "retry" | "final"
  readonly unknownModel?: true
}

/** What becomes of a failure. The words decide where a provider uses one status for several things. */
export function classOf(status: number, said: Said): ErrorClass {
  // What says which class it is stands at the beginning.
  const all = `${said.words} ${said.message}`.slice(0, 8192)
  // The model wrote it so, and may write it otherwise when it is asked again.
  if (/tool_use_failed/.test(said.words)) return { kind: "rejected", retry: "retry" }
  if (isOverflow(status, all)) return { kind: "overflow", retry: "final" }
  // Waiting pays no bill.
  if (status >= 400 && status < 500 && isUnpaid(said, all)) return { kind: "rejected", retry: "final" }
  if (status === 429) return { kind: "rate-limit", retry: "retry" }
  if (passing.includes(status) || status >= 500) return { kind: "overloaded", retry: "retry" }
  const isUnknown = (status === 400 || status === 404) && unknownModelWords.test(all)
  return { kind: "rejected", retry: "final", ...(isUnknown && { unknownModel: true as const }) }
}

/** A request timed out, met another one, came too early; 498: Groq's flex tier is full. */
const passing: readonly number[] = [408, 409, 425, 498]

/** A rate may be told in the same words, but for a single request that is larger than all of it. */
function isOverflow(status: number, all: string): boolean {
  if (status === 413) return true
  if (status === 429) return /request too large|tokens_limit_reached|tokens must be reduced/i.test(all)
  if (status >= 500 && !/context|prompt/i.test(all)) return false
  return !/rate.?limit|throttl|too many requests/i.test(all) && overflowWords.some((words) => words.test(all))
}

/** Google says of every rate that a plan and billing should be looked at, and how long to wait. */
const isUnpaid = ({ quota, wait }: Said, all: string): boolean =>
  quota === "day" || (wait === undefined && unpaidWords.test(all))

/** How providers say that there is no money, or no more of a plan. */
const unpaidWords =
  /insufficient[_ -]?(?:quota|balance|credits?|funds)|exceeded_current_quota|billing_hard_limit|billing_(?:not_active|error)|credit balance|(?:out of|used all (?:available )?|not enough) credits?|recharge|no resource package|in arrears|overdue|spend(?:ing)? limit|payment[_ ]required|monthly (?:usage |spend(?:ing)? )?limit|reached your specified api usage limits|balance is (?:too low|not enough|insufficient)|quota[_ ]exhausted|account.{0,40}(?:suspended|deactivated)/i

/** How providers say that they have no model of that name. Anthropic says no more than the name. */
const unknownModelWords =
  /model[_ ]not[_ ](?:found|available)|not_found_error\s+(?:\S+\s+)?model: |not found the model|\bmodels?\b.{0,200}?\bnot (?:found|exist)|not a valid model|(?:invalid|unknown|no such) model/is

/** How providers and servers say that the prompt does not fit. */
const overflowWords = [
  /context[_ ]length[_ ]exceeded/i,
  /exceed_context_size/i,
  /model_context_window_exceeded/i,
  /model_max_prompt_tokens_exceeded/i,
  /tokens_limit_reached/i,
  /string_above_max_length/i,
  /maximum context length/i,
  /context length is only \d/i,
  /context length of only \d/i,
  /context the overflows/i,
  /(exceeds?|exceeded|(great|larg|long)er than)( the| this)?( model'?s?)?( available| maximum| max)? context/i,
  /context (window|length|size|limit) (exceeds|exceeded|of|is too)/i,
  /(longer|greater) than the maximum model length/i,
  /(?:input|prompt) length.{0,60}(?:exceeds?|longer|greater|larger|must be less)/i,
  /exceeds? (?:the )?maximum (?:allowed |input |sequence )?(?:input )?length/i,
  /exceeds? max_(?:seq|input|model)_len/i,
  /max_tokens'? must be at least 1, got -/i,
  /prompt (is )?too long/i,
  /prompt too long/i,
  /input is too long/i,
  /input too long/i,
  /input token count.{0,200}exceeds/i,
  /prompt token count of [\d,]+ exceeds/i,
  /token count.{0,60}exceeds? the (?:model|max|limit)/i,
  /maximum prompt length is \d/i,
  /must have less than \d+ tokens/i,
  /reduce the length of (the |your )?(messages|prompt|input)/i,
  /exceeded model token limit/i,
  /token limit exceeded/i,
  /too many (input )?tokens/i,
  /exceeds the limit of \d+ tokens/i,
  /prompt exceeds (the )?max(imum)? length/i,
  /prompt tokens (are )?too long/i,
  /prompt[_ ]tokens.{0,60}exceeds?/i,
  /input tokens exceeded/i,
  /range of input length should be/i,
  /inputs`? tokens \+ .{0,40}must be <= ?\d/i,
  /too large for model with \d+/i,
  /request body too large for .{0,60}model/i,
]
