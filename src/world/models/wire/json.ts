/** Looking into what a provider sent, which may be of any shape. */

export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : nothing

const nothing: Record<string, unknown> = Object.freeze({})

/** The value, or undefined where the text is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the text is a finished JSON object. Nothing but a closed object is certainly not cut. */
export const isWhole = (text: string): boolean => text.trimEnd().endsWith("}") && parsed(text) !== undefined

/** Nobody uses more tokens than a number can count one by one: such a number is a fault, and tells nothing. */
export const count = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined

/** Why a provider ended its reply, as a short word. Undefined: the provider gave none. */
export function finishWord(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined
  if (typeof value === "object") return "(not a word)"
  return `${value}`.slice(0, 200)
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/**
 * A lone surrogate would be sent as an escape that providers refuse, and the whole history with it, for ever.
 */
export const quoted = (text: string): string => JSON.stringify(text.toWellFormed())

/**
 * The input of a call as the model wrote it. What is no object cannot be sent as one, and is shown inside of one.
 */
export function objectText(text: string): string {
  const value = parsed(text)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `{"unparsed":${quoted(text)}}`
  if (text.isWellFormed() && !surrogateEscape.test(text)) return text
  return wellFormedJson(value)
}

/** Written anew, pairs are characters again: what is left as an escape is a lone surrogate. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // It looks at every character: at few texts it has to.
  return text.includes("\\ud") ? text.replaceAll(loneSurrogate, "$1\ufffd") : text
}

const surrogateEscape = /\\ud[89a-f]/i
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gi
