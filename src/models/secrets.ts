/** Values that nobody may see, and the way to take them out of a text. */
export interface Secrets {
  /** A value of a few letters is no secret, and would blank out words. */
  add(value: string | undefined): void
  /** The same text where none is in it. */
  redact(text: string): string
}

export function secretSet(): Secrets {
  let values: readonly string[] = []
  return {
    add(given) {
      const value = given?.trim() ?? ""
      if (value.length < shortestSecret || values.includes(value)) return
      // The longest first, lest one that is part of another leave the rest of it.
      values = [...values, value].sort((one, other) => other.length - one.length)
    },
    redact(text) {
      let clean = text
      for (const value of values) if (clean.includes(value)) clean = clean.replaceAll(value, "[redacted]")
      return clean
    },
  }
}

const shortestSecret = 8
