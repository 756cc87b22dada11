/** Values that nobody may see, and the way to take them out of a text. */
export interface Secrets {
  /** A value of a few letters is no secret, and would blank out words. */
  add(value: string | undefined): void
  isEmpty(): boolean
  /** The same text where none is in it. */
  redact(text: string): string
  /** How many characters at the end of a text may be the beginning of one. */
  unfinished(text: string): number
}

/** `names` are no secrets: servers that want some key are often given their own name. */
export function secretSet(names: readonly string[] = []): Secrets {
  let values: readonly string[] = []
  return {
    add(given) {
      const value = given?.trim() ?? ""
      if (value.length < shortestSecret || values.includes(value) || names.includes(value)) return
      // The longest first, lest one that is part of another leave the rest of it.
      values = [...new Set([...values, value, inJson(value)])].sort((one, other) => other.length - one.length)
    },
    isEmpty: () => values.length === 0,
    redact(text) {
      if (text.length < shortestSecret) return text
      let clean = text
      for (let index = 0; index < values.length; index++) {
        const value = values[index]!
        if (clean.includes(value)) clean = clean.replaceAll(value, "[redacted]")
      }
      return clean
    },
    unfinished: (text) => unfinishedIn(text, values),
  }
}

/** The longest end of a text that one of the values begins with and does not end with. */
export function unfinishedIn(text: string, values: readonly string[]): number {
  const last = text.at(-1)
  let longest = 0
  for (const value of values)
    for (let length = Math.min(value.length - 1, text.length); length > longest; length--)
      if (value[length - 1] === last && text.endsWith(value.slice(0, length))) longest = length
  return longest
}

/** As it stands inside a text of JSON, such as the arguments of a call. */
export const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)

const shortestSecret = 8
