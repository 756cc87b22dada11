import type { ModelError } from "../../../agent/model.ts"
import { describeThrown } from "../../../ground/errors.ts"
import {
  createErrorObjectFailure,
  createModelFailure,
  createNetworkFailure,
  createStatusFailure,
} from "../wire/failure.ts"
import type { Headers } from "../wire/headers.ts"
import { readFields, toStringOrEmpty } from "../wire/json.ts"

/** Turns an error that an AI SDK model threw or streamed into a failure. Never throws, whatever shape the error has. */
export function toSdkFailure(host: string, thrown: unknown): ModelError {
  try {
    return classify(host, thrown)
  } catch {
    return createModelFailure("protocol", `${host} failed with a reason that cannot be shown.`, "retry")
  }
}

function classify(host: string, thrown: unknown): ModelError {
  const { name, statusCode, cause, value } = readFields(thrown)
  // The package does not know this form of error.
  if (isErrorEvent(value)) return createErrorObjectFailure(host, errorIn(value))
  if (
    typeof name === "string" &&
    /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponse)/.test(name)
  )
    return createModelFailure(
      "protocol",
      `${host} sent an invalid answer: ${describeThrown(thrown)}`,
      "retry",
    )
  if (name === "AI_APICallError" && typeof statusCode === "number")
    return answeredFailure(host, statusCode, readFields(thrown))
  const connectionFailure = connectionError(thrown)
  if (connectionFailure) return brokenFailure(host, connectionFailure)
  if (typeof name === "string" && name.startsWith("AI_") && name !== "AI_APICallError")
    return createModelFailure(
      "rejected",
      `The request to ${host} could not be made: ${describeThrown(thrown)}`,
      "final",
    )
  if (name === "AI_APICallError") return createNetworkFailure(host, cause ?? thrown)
  if (thrown instanceof Error)
    return createModelFailure(
      "rejected",
      `The request to ${host} could not be made: ${thrown.message}`,
      "final",
    )
  return createErrorObjectFailure(host, errorIn(thrown))
}

/**
 * A failure for an answer with a status. A 2xx answer was invalid or broke off; an error inside it may have its own
 * status.
 */
function answeredFailure(host: string, status: number, error: Record<string, unknown>): ModelError {
  const connectionFailure = connectionError(error.cause)
  if (connectionFailure) return brokenFailure(host, connectionFailure)
  if (isErrorEvent(error.data)) return createErrorObjectFailure(host, errorIn(error.data))
  if (status < 300)
    return createModelFailure(
      "protocol",
      `${host} sent an invalid answer: ${toStringOrEmpty(error.message)}`,
      "retry",
    )
  const body = toStringOrEmpty(error.responseBody)
  return createStatusFailure(
    host,
    status,
    readFields(error.responseHeaders) as Headers,
    body,
    Buffer.byteLength(body),
  )
}

function isErrorEvent(value: unknown): boolean {
  const { type } = readFields(value)
  return type === "error" || type === "response.failed"
}

/** The error in an event, in the forms of providers and of the AI SDK. */
function errorIn(event: unknown): unknown {
  const { response, error, message, type, code, statusCode } = readFields(event)
  const inner = readFields(response).error ?? error
  if (inner !== undefined && inner !== null) return inner
  if (typeof message !== "string") return event
  // Here `error` is only the type of the event.
  return { message, type: type === "error" ? undefined : type, code: code ?? statusCode }
}

interface Broken {
  readonly code: string
}

/** Finds the connection error, which is often nested several causes deep. */
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

const brokenFailure = (host: string, connectionFailure: Broken): ModelError =>
  connectionFailure.code.startsWith("Z_")
    ? createModelFailure(
        "protocol",
        `${host} sent a body that does not match its declared encoding: ${describeThrown(connectionFailure)}`,
        "final",
      )
    : createNetworkFailure(host, connectionFailure)
