import { getFirstValue, type Headers } from "./headers.ts"
import { readFields, tryParseJson } from "./json.ts"

/** A provider's description of a failure. */
export interface ErrorDescription {
  readonly message: string
  /** The provider's `type`, `code` and `status`. */
  readonly words: string
  /** The wait in milliseconds that the body asks for. */
  readonly wait?: number
  /** A daily quota is used up. */
  readonly quota?: "day"
}

/**
 * Reads the description of a failure. Never throws: a deeply nested one could exhaust the stack when it is written as
 * JSON.
 */
export function describeAnswerError(text: string, headers: Headers, size: number): ErrorDescription {
  try {
    return providerError(text, headers, size)
  } catch {
    return { message: `a reason that cannot be shown (${size} bytes)`, words: "" }
  }
}

/** Reads an error object, including the error of another provider that a gateway passes on. */
export function describeErrorObject(error: unknown): ErrorDescription {
  if (typeof error === "string") return { message: error, words: "" }
  const errorFields = readFields(error)
  const { metadata, details } = errorFields
  const message = [errorFields.message, errorFields.detail, errorFields.error].find(
    (value) => value !== undefined && value !== null,
  )
  const ownError: ErrorDescription = {
    message: typeof message === "string" ? message : message === undefined ? "" : JSON.stringify(message),
    words: [errorFields.type, errorFields.code, errorFields.status].map(toPlainWord).join(" "),
  }
  const innerError = innerErrorIn(readFields(metadata))
  const combined = innerError
    ? joinErrors(ownError, innerError, toPlainWord(readFields(metadata).provider_name))
    : ownError
  return { ...combined, ...waitIn(details, combined.message) }
}

/** Converts only texts and numbers: an object's own `toString` must not be called. */
export const toPlainWord = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : ""

function providerError(text: string, headers: Headers, size: number): ErrorDescription {
  const type = getFirstValue(headers["content-type"])
  if (!/html/i.test(type)) {
    const value = tryParseJson(text)
    const outer = readFields(Array.isArray(value) ? value[0] : value)
    const description = describeErrorObject(
      outer.error ?? (value === undefined || value === null ? undefined : outer),
    )
    if (description.message) return description
    if (text.trim() !== "") return { ...description, message: text.trim() }
  }
  // The title of a proxy's or firewall's page tells what it is.
  const title = /<title>([^<]{1,200})<\/title>/i.exec(text.slice(0, 8192))?.[1]?.trim()
  const page = `${size} bytes of ${type || "unnamed content"}`
  return {
    message: title ? `a page with the title ${JSON.stringify(title)} (${page})` : `no reason given (${page})`,
    words: "",
  }
}

/** Reads the error that OpenRouter passes on from another provider: as JSON text, as plain text, or as a value. */
function innerErrorIn({ raw }: Record<string, unknown>): ErrorDescription | undefined {
  if (raw === undefined || raw === null || raw === "") return undefined
  const value = typeof raw === "string" ? (tryParseJson(raw) ?? raw) : raw
  const description = describeErrorObject(
    typeof value === "object" ? (readFields(value).error ?? value) : String(value),
  )
  return description.message === "" ? { ...description, message: toPlainWord(raw) } : description
}

function joinErrors(
  ownError: ErrorDescription,
  innerError: ErrorDescription,
  name: string,
): ErrorDescription {
  if (innerError.message === "") return ownError
  const who = name === "" ? "" : ` (${name})`
  return {
    ...innerError,
    message: `${ownError.message}${who}: ${innerError.message}`,
    words: `${ownError.words} ${innerError.words}`,
  }
}

/** Reads the wait and the quota. Google puts them into `details`, others into their message. */
function waitIn(details: unknown, message: string): Pick<ErrorDescription, "wait" | "quota"> {
  const list = Array.isArray(details) ? details.map(readFields) : []
  const delay = list.map(({ retryDelay }) => /^([\d.]+)s$/.exec(toPlainWord(retryDelay))?.[1]).find(Boolean)
  const isDaily = list.some(
    ({ violations }) =>
      Array.isArray(violations) &&
      violations.some((one) => /PerDay/i.test(toPlainWord(readFields(one).quotaId))),
  )
  const wait = delay === undefined ? spokenWait(message) : Math.ceil(Number(delay) * 1000)
  return {
    ...(wait !== undefined && wait > 0 && Number.isFinite(wait) && { wait }),
    ...(isDaily && { quota: "day" as const }),
  }
}

/** `Please try again in 1m30.5s.`, `in 20ms`, `retry after 12 seconds`. */
function spokenWait(message: string): number | undefined {
  const [, minutes, seconds, milliseconds] =
    /(?:try again|retry) (?:in|after) (?:(\d+) ?m(?:in(?:utes?)?)?(?![a-z]))? ?(?:([\d.]+) ?s(?:ec(?:onds?)?)?\b)?(?:([\d.]+) ?ms\b)?/i.exec(
      message,
    ) ?? []
  if (minutes === undefined && seconds === undefined && milliseconds === undefined) return undefined
  return Math.ceil(Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000 + Number(milliseconds ?? 0))
}
