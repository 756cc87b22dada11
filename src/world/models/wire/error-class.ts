import type { ModelError } from "../../../agent/model.ts"
import type { ErrorDescription } from "./error-words.ts"

export interface ErrorClass {
  readonly kind: ModelError["kind"]
  readonly retryable: boolean
  readonly unknownModel?: true
}

/** Classifies a failure. The words decide where a provider uses one status for several things. */
export function classifyError(status: number, description: ErrorDescription): ErrorClass {
  // The words that decide the class stand at the beginning.
  const text = `${description.words} ${description.message}`.slice(0, 8192)
  // The model may write the call differently when it is asked again.
  if (/tool_use_failed/.test(description.words)) return { kind: "rejected", retryable: true }
  if (isOverflow(status, text)) return { kind: "overflow", retryable: false }
  // Waiting does not help against a missing payment.
  if (status >= 400 && status < 500 && isUnpaid(description, text))
    return { kind: "rejected", retryable: false }
  if (status === 429) return { kind: "rate-limit", retryable: true }
  if (temporaryStatuses.includes(status) || status >= 500) return { kind: "overloaded", retryable: true }
  const isUnknown = (status === 400 || status === 404) && unknownModelWords.test(text)
  return { kind: "rejected", retryable: false, ...(isUnknown && { unknownModel: true as const }) }
}

/** Temporary statuses: a request timed out, collided with another, or came too early. 498: Groq's flex tier is full. */
const temporaryStatuses: readonly number[] = [408, 409, 425, 498]

/**
 * True if the prompt is too long. Rate limits use similar words, so status 429 counts only for a single request that is
 * too large.
 */
function isOverflow(status: number, text: string): boolean {
  if (status === 413) return true
  if (status === 429) return /request too large|tokens_limit_reached|tokens must be reduced/i.test(text)
  if (status >= 500 && !/context|prompt/i.test(text)) return false
  return (
    !/rate.?limit|throttl|too many requests/i.test(text) && overflowWords.some((words) => words.test(text))
  )
}

/**
 * True if a payment or a daily quota is the problem. Google mentions plan and billing with every rate limit, too, but
 * then says how long to wait.
 */
const isUnpaid = ({ quota, wait }: ErrorDescription, text: string): boolean =>
  quota === "day" || (wait === undefined && unpaidWords.test(text))

/** Phrases of providers for a missing payment or a used-up plan. */
const unpaidWords =
  /insufficient[_ -]?(?:quota|balance|credits?|funds)|exceeded_current_quota|billing_hard_limit|billing_(?:not_active|error)|credit balance|(?:out of|used all (?:available )?|not enough) credits?|recharge|no resource package|in arrears|overdue|spend(?:ing)? limit|payment[_ ]required|monthly (?:usage |spend(?:ing)? )?limit|reached your specified api usage limits|balance is (?:too low|not enough|insufficient)|quota[_ ]exhausted|account.{0,40}(?:suspended|deactivated)/i

/** Phrases of providers for an unknown model. Anthropic only gives the name. */
const unknownModelWords =
  /model[_ ]not[_ ](?:found|available)|not_found_error\s+(?:\S+\s+)?model: |not found the model|\bmodels?\b.{0,200}?\bnot (?:found|exist)|not a valid model|(?:invalid|unknown|no such) model/is

/** Phrases of providers and servers for a prompt that is too long. */
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
