/** Secret values, and the way to remove them from a text. */
export interface Secrets {
  /** Adds a value. Very short values are ignored, because redacting them would remove ordinary words. */
  add(value: string | undefined): void
  isEmpty(): boolean
  /** All values that are redacted. The list is replaced whenever a value is added. */
  readonly values: readonly string[]
  /** Replaces secrets in a text. Returns the same text if there is none. */
  redact(text: string): string
  /** The number of characters at the end of a text that may be the beginning of a secret. */
  unfinished(text: string): number
}

/** Creates a set of secrets. `names` never count: users often give a server its own name as a dummy key. */
export function createSecrets(names: readonly string[] = []): Secrets {
  const set = {
    values: noValues,
    add(secret: string | undefined) {
      const { values } = set
      const value = secret?.trim() ?? ""
      if (value.length < shortestSecret || values.includes(value) || names.includes(value)) return
      // Longer values come first. Otherwise a value inside a longer one would leave the rest of that visible.
      set.values = [...new Set([...values, value, escapeForJson(value)])].sort(
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
    unfinished: (text: string) => computeUnfinishedLength(text, set.values),
  }
  return set
}

const noValues: readonly string[] = []

type Redact = (text: string) => string

/** The values that a redacting function removes, if they are known and do not change. */
const removedValues = new WeakMap<Redact, readonly string[]>()

/** Registers the values that a redacting function removes. */
export function registerRedaction(values: readonly string[], redact: Redact): Redact {
  removedValues.set(redact, values)
  return redact
}

/**
 * Redacts the values of a set and of models, one after the other. It sees every text of every event, and few contain a
 * secret. If all values are known, one check finds that.
 */
export function combineRedaction(secrets: Secrets, models: readonly { readonly redact?: Redact }[]): Redact {
  let [knownSecrets, knownModels] = [noValues, -1]
  let values: readonly string[] | undefined
  let shortest = 0

  function look(): void {
    knownSecrets = secrets.values
    knownModels = models.length
    const lists = models.map(({ redact }) => redact && removedValues.get(redact))
    const isKnown = lists.every((list) => list !== undefined)
    values = isKnown ? [...new Set([...knownSecrets, ...lists.flat()])] : undefined
    shortest = Math.min(...(values ?? []).map(({ length }) => length))
  }

  function redactSlowly(text: string): string {
    let clean = secrets.redact(text)
    for (const model of models) clean = model.redact?.(clean) ?? clean
    return clean
  }

  return (text) => {
    if (knownSecrets !== secrets.values || knownModels !== models.length) look()
    if (values === undefined) return redactSlowly(text)
    if (text.length < shortest) return text
    for (let index = 0; index < values.length; index++)
      if (text.includes(values[index]!)) return redactSlowly(text)
    return text
  }
}

/** The length of the longest end of a text that is an incomplete beginning of a value. */
export function computeUnfinishedLength(text: string, values: readonly string[]): number {
  const last = text.at(-1)
  let longest = 0
  for (const value of values)
    for (let length = Math.min(value.length - 1, text.length); length > longest; length--)
      if (value[length - 1] === last && text.endsWith(value.slice(0, length))) longest = length
  return longest
}

/** The value as it appears inside a JSON text, such as the arguments of a call. */
export const escapeForJson = (value: string): string => JSON.stringify(value).slice(1, -1)

const shortestSecret = 8
