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

export const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/**
 * A lone surrogate would be sent as an escape that providers refuse, and the whole history with it, for ever.
 */
export const quoted = (text: string): string => JSON.stringify(text.toWellFormed())
