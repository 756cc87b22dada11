import type { ModelError } from "../../../agent/model.ts"
import { messageOf } from "../../../ground/errors.ts"
import { errorObjectFailure, failure, networkFailure, statusFailure } from "../wire/failure.ts"
import type { Headers } from "../wire/headers.ts"
import { fields, textOf } from "../wire/json.ts"

/** Whatever an AI SDK model threw, or sent as an error in its stream. Never throws, whatever shape that has. */
export function sdkFailure(host: string, thrown: unknown): ModelError {
  try {
    return classified(host, thrown)
  } catch {
    return failure("protocol", `${host} failed with a reason that cannot be shown.`, "retry")
  }
}

function classified(host: string, thrown: unknown): ModelError {
  const { name, statusCode, cause, value } = fields(thrown)
  // An error that the package does not know the shape of.
  if (isErrorEvent(value)) return errorObjectFailure(host, errorIn(value))
  if (
    typeof name === "string" &&
    /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponse)/.test(name)
  )
    return failure("protocol", `${host} sent what is no answer: ${messageOf(thrown)}`, "retry")
  if (name === "AI_APICallError" && typeof statusCode === "number")
    return answeredFailure(host, statusCode, fields(thrown))
  const broken = connectionError(thrown)
  if (broken) return brokenFailure(host, broken)
  if (typeof name === "string" && name.startsWith("AI_") && name !== "AI_APICallError")
    return failure("rejected", `The request to ${host} could not be made: ${messageOf(thrown)}`, "final")
  if (name === "AI_APICallError") return networkFailure(host, cause ?? thrown)
  if (thrown instanceof Error)
    return failure("rejected", `The request to ${host} could not be made: ${thrown.message}`, "final")
  return errorObjectFailure(host, errorIn(thrown))
}

/** An answer with a status. One that was 2xx was no answer, or broke off; an error in it may have been given a status. */
function answeredFailure(host: string, status: number, error: Record<string, unknown>): ModelError {
  const broken = connectionError(error.cause)
  if (broken) return brokenFailure(host, broken)
  if (isErrorEvent(error.data)) return errorObjectFailure(host, errorIn(error.data))
  if (status < 300)
    return failure("protocol", `${host} sent what is no answer: ${textOf(error.message)}`, "retry")
  const body = textOf(error.responseBody)
  return statusFailure(host, status, fields(error.responseHeaders) as Headers, body, Buffer.byteLength(body))
}

function isErrorEvent(value: unknown): boolean {
  const { type } = fields(value)
  return type === "error" || type === "response.failed"
}

/** The error that an event is about, as providers and the AI SDK write it. */
function errorIn(event: unknown): unknown {
  const { response, error, message, type, code, statusCode } = fields(event)
  const inner = fields(response).error ?? error
  if (inner !== undefined && inner !== null) return inner
  if (typeof message !== "string") return event
  // `error` is the type of the event then, and says nothing.
  return { message, type: type === "error" ? undefined : type, code: code ?? statusCode }
}

interface Broken {
  readonly code: string
}

/** What broke a connection is often a few causes deep. */
function connectionError(thrown: unknown): Broken | undefined {
  let error = thrown
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    const { code } = error as { code?: unknown }
    if (typeof code === "string" && /^(E[A-Z]{3,}|UND_|ERR_|CERT_|Z_|DEPTH_|SELF_|UNABLE_|HPE_)/.test(code))
      return error as Error & Broken
    error = error.cause
  }
  return undefined
}

const brokenFailure = (host: string, broken: Broken): ModelError =>
  broken.code.startsWith("Z_")
    ? failure("protocol", `${host} sent a body that is not encoded as it says: ${messageOf(broken)}`, "final")
    : networkFailure(host, broken)
