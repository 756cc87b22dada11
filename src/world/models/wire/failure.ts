import type { ModelError } from "../../../agent/model.ts"
import { classifyError } from "./error-class.ts"
import {
  describeAnswerError,
  describeErrorObject,
  type ErrorDescription,
  toPlainWord,
} from "./error-words.ts"
import { getFirstValue, type Headers } from "./headers.ts"
import { readFields } from "./json.ts"

type Kind = ModelError["kind"]

/** Makes a `ModelError`. All protocols over HTTP use the failures of this file. */
export const createModelFailure = (
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

/** True if the provider refused the request before it did any work, so no tokens were used. */
export const isOutrightRefusal = ({ kind }: ModelError): boolean =>
  kind === "rate-limit" || kind === "overloaded" || kind === "rejected" || kind === "overflow"

export const createAbortedFailure = (): ModelError =>
  createModelFailure("aborted", "The request was aborted.", "final")

/**
 * A failure for an answer that is not 2xx. `text` is the start of its body, `size` the number of bytes that arrived.
 */
export function createStatusFailure(
  host: string,
  status: number,
  headers: Headers,
  text: string,
  size: number,
): ModelError {
  if (status < 400)
    return createModelFailure(
      "rejected",
      `${host} answered ${status}, a redirect to ${getFirstValue(headers.location) || "nowhere"}. It is not followed, ` +
        "because the request carries a key: set baseUrl to the final address.",
      "final",
    )
  const description = describeAnswerError(text, headers, size)
  const error = classify(
    status,
    description,
    `${host} answered ${status}: ${description.message}`,
    readRetryAfter(headers),
  )
  // OpenAI and Anthropic send `false` if a retry is useless, although failures with this HTTP status usually pass.
  return getFirstValue(headers["x-should-retry"]) === "false" ? { ...error, retryable: false } : error
}

/** A failure for a 2xx answer that no model wrote, such as a page of a proxy. */
export const createNoAnswerFailure = (
  host: string,
  status: number,
  size: number | string,
  content: string,
): ModelError =>
  createModelFailure(
    "protocol",
    `${host} answered ${status} with ${size} bytes of ${content || "unnamed content"}, which is not a model's answer. ` +
      "Check baseUrl, and any proxy in between.",
    "final",
  )

export const createEmptyFailure = (host: string, contentType: string): ModelError =>
  createModelFailure(
    "protocol",
    `${host} answered with an empty body (0 bytes of ${contentType || "unnamed content"}).`,
    "retry",
  )

export const createTooLargeFailure = (host: string, most: number): ModelError =>
  createModelFailure("protocol", `${host} sent more than ${most} bytes.`, "final")

export const createIdleFailure = (host: string, idleTimeout: number): ModelError =>
  createModelFailure("timeout", `${host} sent nothing for ${idleTimeout} ms.`, "retry")

export const createSlowFailure = (host: string, totalTimeout: number): ModelError =>
  createModelFailure("timeout", `${host} did not finish its answer within ${totalTimeout} ms.`, "retry")

export const createNoTerminalEventFailure = (host: string): ModelError =>
  createModelFailure("protocol", `The stream from ${host} ended without its terminal event.`, "retry")

/**
 * A failure for an `error` object inside an answer that began with 200. The object is treated like an answer with the
 * fitting HTTP status, or with 500.
 */
export function createErrorObjectFailure(host: string, error: unknown): ModelError {
  const description = describeErrorObject(error)
  const message = description.message || JSON.stringify(error)
  return classify(
    statusOf(error, description),
    description,
    `${host} sent an error inside its answer: ${message}`,
  )
}

/** A failure for an answer with status 200 whose JSON has no reply. Includes the server's own error message, if any. */
export function createMissingAnswerFailure(host: string, body: unknown, missing: string): ModelError {
  const outer = readFields(Array.isArray(body) ? body[0] : body)
  const error = outer.error ?? outer
  return describeErrorObject(error).message === ""
    ? createModelFailure("protocol", `${host} answered without ${missing}.`, "retry")
    : createErrorObjectFailure(host, error)
}

/** A failure for an error that the connection threw. */
export function createNetworkFailure(host: string, thrown: unknown): ModelError {
  const error = thrown as {
    name?: unknown
    code?: unknown
    message?: unknown
    errors?: readonly { message?: unknown }[]
  }
  const code = typeof error?.code === "string" ? error.code : ""
  const text = String(error?.message || error?.errors?.[0]?.message || thrown)
  if (code === "ERR_PROXY_REFUSED")
    return createModelFailure("rejected", `${host} could not be reached ${text}.`, "final")
  if (code === "UND_ERR_INVALID_ARG")
    return createModelFailure("rejected", `The request to ${host} could not be made: ${text}.`, "final")
  if (error?.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW")
    return createModelFailure("protocol", `${host} did not answer in HTTP: ${text}`, "retry")
  return createModelFailure(
    "network",
    `The connection to ${host} failed${code && ` (${code})`}: ${text}`,
    "retry",
  )
}

/**
 * The wait in milliseconds that the headers ask for: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * Invalid values are ignored, so that the caller's own backoff applies. The longest wait
 * is a day.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = waitFrom(getFirstValue(headers["retry-after-ms"]), 1)
  if (milliseconds !== undefined) return milliseconds
  const text = getFirstValue(headers["retry-after"])
  if (!/[a-z]{3}/i.test(text)) return waitFrom(text, 1000)
  // The provider's own clock is used if it sends one, because ours may be wrong.
  const now = Date.parse(getFirstValue(headers.date))
  return waitFrom(String(Date.parse(text) - (Number.isNaN(now) ? Date.now() : now)), 1)
}

/** A wait in the headers overrides a wait that the provider names in its error message. */
function classify(
  status: number,
  description: ErrorDescription,
  message: string,
  wait = description.wait === undefined ? undefined : Math.min(description.wait, longestWait),
): ModelError {
  const { kind, retryable, ...rest } = classifyError(status, description)
  const failure = retryable
    ? createModelFailure(kind, message, "retry", wait)
    : createModelFailure(kind, message, "final")
  return { ...failure, ...rest }
}

function statusOf(error: unknown, description: ErrorDescription): number {
  const statusFields = error as { status?: unknown; status_code?: unknown; code?: unknown } | null
  for (const value of [statusFields?.status, statusFields?.status_code, statusFields?.code]) {
    const status = Number(toPlainWord(value))
    if (status >= 400 && status <= 599) return status
  }
  const statusFromWords = statusWords.find(([words]) => words.test(description.words))?.[1]
  return (
    statusFromWords ??
    (/\bmodel\b.{0,200}\bnot found\b/i.test(description.message.slice(0, 8192)) ? 404 : 500)
  )
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
  // Error codes of `ResponseError` in `openai` 7.53.0 that blame the request or a policy (read in 2026-11).
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
