/** Reads values that a provider sent, which may have any shape. */

export const readFields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : nothing

const nothing: Record<string, unknown> = Object.freeze({})

/** Parses JSON. Undefined: the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True if the text is a complete JSON object. Only a closed object is certainly not cut. */
export const isCompleteObject = (text: string): boolean =>
  text.trimEnd().endsWith("}") && tryParseJson(text) !== undefined

/** Reads a number of tokens. A number beyond safe integers is a fault, and counts as unknown. */
export const readCount = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined

/** The provider's reason for the end of a reply, as a short word. Undefined: the provider gave none. */
export function readFinishWord(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined
  if (typeof value === "object") return "(not a word)"
  return `${value}`.slice(0, 200)
}

export const toStringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "")

/**
 * Writes a text as JSON without lone surrogates. Providers refuse their escapes, and with them every later request of
 * the run.
 */
export const quoteJson = (text: string): string => JSON.stringify(text.toWellFormed())

/** The input of a call, as a JSON object. A text that is not an object is put inside one. */
export function toObjectText(text: string): string {
  const value = tryParseJson(text)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `{"unparsed":${quoteJson(text)}}`
  if (text.isWellFormed() && !surrogateEscape.test(text)) return text
  return writeWellFormedJson(value)
}

/**
 * Writes JSON without lone surrogates. Rewritten, surrogate pairs become characters, so every remaining escape is a
 * lone one.
 */
export function writeWellFormedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // The replacement scans the whole text, so it runs only if there may be an escape.
  return text.includes("\\ud") ? text.replaceAll(loneSurrogate, "$1\ufffd") : text
}

const surrogateEscape = /\\ud[89a-f]/i
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gi
