/** Values that nobody may see, and the way to take them out of a text. */
export interface Secrets {
  /** A value of a few letters is no secret, and would blank out words. */
  add(value: string | undefined): void
  isEmpty(): boolean
  /** All that it takes out. Another list where one was added. */
  readonly values: readonly string[]
  /** The same text where none is in it. */
  redact(text: string): string
  /** How many characters at the end of a text may be the beginning of one. */
  unfinished(text: string): number
}

/** `names` are no secrets: servers that want some key are often given their own name. */
export function secretSet(names: readonly string[] = []): Secrets {
  const set = {
    values: noValues,
    add(given: string | undefined) {
      const { values } = set
      const value = given?.trim() ?? ""
      if (value.length < shortestSecret || values.includes(value) || names.includes(value)) return
      // The longest first, lest one that is part of another leave the rest of it.
      set.values = [...new Set([...values, value, inJson(value)])].sort(
        (one, other) => other.length - one.length,
      )
    },
    isEmpty: () => set.values.length === 0,
    redact(text: string) {
      if (text.length < shortestSecret) return text
      const { values } = set
      let clean = text
      for (let index = 0; index < values.length; index++) {
        const value = values[index]!
        if (clean.includes(value)) clean = clean.replaceAll(value, "[redacted]")
      }
      return clean
    },
    unfinished: (text: string) => unfinishedIn(text, set.values),
  }
  return set
}

const noValues: readonly string[] = []

type Redact = (text: string) => string

/** What such a function takes out, where that is known and does not change. */
const takenOut = new WeakMap<Redact, readonly string[]>()

/** The same function, with what it takes out made known. */
export function takesOut(values: readonly string[], redact: Redact): Redact {
  takenOut.set(redact, values)
  return redact
}

/**
 * Takes out what a set and models beside it take out, one after the other. It sees every text and every name of every
 * event, and hardly any of them has something: where all values are known, one look tells that.
 */
export function redactAll(secrets: Secrets, models: readonly { readonly redact?: Redact }[]): Redact {
  let [ofSecrets, ofModels] = [noValues, -1]
  let values: readonly string[] | undefined
  let shortest = 0

  function look(): void {
    ofSecrets = secrets.values
    ofModels = models.length
    const lists = models.map(({ redact }) => redact && takenOut.get(redact))
    const isKnown = lists.every((list) => list !== undefined)
    values = isKnown ? [...new Set([...ofSecrets, ...lists.flat()])] : undefined
    shortest = Math.min(...(values ?? []).map(({ length }) => length))
  }

  function redactSlowly(text: string): string {
    let clean = secrets.redact(text)
    for (const model of models) clean = model.redact?.(clean) ?? clean
    return clean
  }

  return (text) => {
    if (ofSecrets !== secrets.values || ofModels !== models.length) look()
    if (values === undefined) return redactSlowly(text)
    if (text.length < shortest) return text
    for (let index = 0; index < values.length; index++)
      if (text.includes(values[index]!)) return redactSlowly(text)
    return text
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
