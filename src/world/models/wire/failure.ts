import type { ModelError } from "../../../agent/model.ts"
import { classOf } from "./error-class.ts"
import { errorWords, type Said, saidBy, word } from "./error-words.ts"
import { type Headers, one } from "./headers.ts"
import { fields } from "./json.ts"

/** How a provider's failure becomes a `ModelError`: shared by every protocol that speaks HTTP. */

type Kind = ModelError["kind"]

export const failure = (
  kind: Kind,
  message: string,
  retry: "retry" | "final",
  retryAfter?: number,
): ModelError => ({
  kind,
  message,
  retryable: retry === "retry",
  ...(retryAfter === undefined ? {} : { retryAfter }),
})

/** Whether a provider refused outright: nothing was read or written. */
export const isRefused = ({ kind }: ModelError): boolean =>
  kind === "rate-limit" || kind === "overloaded" || kind === "rejected" || kind === "overflow"

export const abortedFailure = (): ModelError => failure("aborted", "The request was aborted.", "final")

/** An answer that is not 2xx. `text` is the start of its body, `size` how much of it arrived. */
export function statusFailure(
  host: string,
  status: number,
  headers: Headers,
  text: string,
  size: number,
): ModelError {
  if (status >= 300 && status < 400)
    return failure(
      "rejected",
      `${host} answered ${status}, a redirect to ${one(headers.location) || "nowhere"}. It is not followed, ` +
        "because the request carries a key: set baseUrl to the final address.",
      "final",
    )
  const said = saidBy(text, headers, size)
  const error = classified(status, said, `${host} answered ${status}: ${said.message}`, retryAfter(headers))
  // OpenAI and Anthropic say so where a status that usually passes will not.
  return one(headers["x-should-retry"]) === "false" ? { ...error, retryable: false } : error
}

/** An answer that is 2xx and comes from something that is no model. */
export const noAnswerFailure = (
  host: string,
  status: number,
  size: number | string,
  content: string,
): ModelError =>
  failure(
    "protocol",
    `${host} answered ${status} with ${size} bytes of ${content || "unnamed content"}, which is no model's answer. ` +
      "Check baseUrl, and any proxy on the way.",
    "final",
  )

export const emptyFailure = (host: string, contentType: string): ModelError =>
  failure(
    "protocol",
    `${host} answered with an empty body (0 bytes of ${contentType || "unnamed content"}).`,
    "retry",
  )

export const tooLargeFailure = (host: string, most: number): ModelError =>
  failure("protocol", `${host} sent more than ${most} bytes.`, "final")

export const idleFailure = (host: string, idleTimeout: number): ModelError =>
  failure("timeout", `${host} sent nothing for ${idleTimeout} ms.`, "retry")

export const slowFailure = (host: string, totalTimeout: number): ModelError =>
  failure("timeout", `${host} did not finish its answer within ${totalTimeout} ms.`, "retry")

export const noTerminalEvent = (host: string): ModelError =>
  failure("protocol", `The stream from ${host} ended without its terminal event.`, "retry")

/** An `error` object inside an answer that began with 200: treated as the status it stands for. */
export function errorObjectFailure(host: string, error: unknown): ModelError {
  const said = errorWords(error)
  const message = said.message || JSON.stringify(error)
  return classified(statusOf(error, said), said, `${host} sent an error inside its answer: ${message}`)
}

/** A JSON body of a 200 in which the answer is missing: the server's own words, where it has any. */
export function noAnswerIn(host: string, body: unknown, missing: string): ModelError {
  const outer = fields(Array.isArray(body) ? body[0] : body)
  const error = outer.error ?? outer
  return errorWords(error).message === ""
    ? failure("protocol", `${host} answered without ${missing}.`, "retry")
    : errorObjectFailure(host, error)
}

/** Whatever the connection threw. */
export function networkFailure(host: string, thrown: unknown): ModelError {
  const error = thrown as {
    name?: unknown
    code?: unknown
    message?: unknown
    errors?: readonly { message?: unknown }[]
  }
  const code = typeof error?.code === "string" ? error.code : ""
  const text = String(error?.message || error?.errors?.[0]?.message || thrown)
  if (code === "ERR_PROXY_REFUSED") return failure("rejected", `${host} could not be asked ${text}.`, "final")
  if (code === "UND_ERR_INVALID_ARG")
    return failure("rejected", `The request to ${host} could not be made: ${text}.`, "final")
  if (error?.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW")
    return failure("protocol", `${host} did not answer in HTTP: ${text}`, "retry")
  return failure("network", `The connection to ${host} failed${code && ` (${code})`}: ${text}`, "retry")
}

/**
 * How long the provider asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as
 * a date. What is no positive number is ignored, so that the caller's own backoff applies; a day stands for
 * whatever is longer, which no run outlives.
 */
export function retryAfter(headers: Headers): number | undefined {
  const milliseconds = waitFrom(one(headers["retry-after-ms"]), 1)
  if (milliseconds !== undefined) return milliseconds
  const text = one(headers["retry-after"]).trim()
  if (!/[a-z]{3}/i.test(text)) return waitFrom(text, 1000)
  // Measured against the provider's own clock where it tells it: ours may be wrong.
  const now = Date.parse(one(headers.date))
  return waitFrom(String(Date.parse(text) - (Number.isNaN(now) ? Date.now() : now)), 1)
}

/** What the provider asks for in its headers comes before what it says in its words. */
function classified(
  status: number,
  said: Said,
  message: string,
  wait = said.wait === undefined ? undefined : Math.min(said.wait, longestWait),
): ModelError {
  const { kind, retry, ...rest } = classOf(status, said)
  return { ...failure(kind, message, retry, retry === "retry" ? wait : undefined), ...rest }
}

function statusOf(error: unknown, said: Said): number {
  const given = error as { status?: unknown; status_code?: unknown; code?: unknown } | null
  for (const value of [given?.status, given?.status_code, given?.code]) {
    const status = Number(word(value))
    if (status >= 400 && status <= 599) return status
  }
  const known = statusWords.find(([words]) => words.test(said.words))?.[1]
  return known ?? (/\bmodel\b.{0,200}\bnot found\b/i.test(said.message.slice(0, 8192)) ? 404 : 500)
}

const statusWords: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient_quota|resource_exhausted/i, 429],
  [/overloaded/i, 529],
  [/authentication|invalid_api_key|unauthorized/i, 401],
  [/permission|forbidden/i, 403],
  [/billing/i, 402],
  [/not_found/i, 404],
  [/request_too_large/i, 413],
  [/invalid_request|invalid_argument|bad_request|content_filter/i, 400],
  // What `ResponseError` of `openai` 7.53.0 says of a request, and of policies (2026-11).
  [
    /invalid_(?:prompt|image|base64)|\b(?:empty_|unsupported_)?image_|failed_to_download|data_residency|_policy/i,
    400,
  ],
]

function waitFrom(text: string, unit: number): number | undefined {
  const value = text === "" ? Number.NaN : Number(text) * unit
  return Number.isFinite(value) && value > 0 ? Math.min(Math.ceil(value), longestWait) : undefined
}

const longestWait = 24 * 60 * 60_000
