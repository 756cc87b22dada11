import { type Argument, plainArgument } from "./resolve-word.ts"
import type { Option, ReadTable } from "./table.ts"

export interface GivenOption {
  readonly option: Option
  /** As it was given, in full: `--output`. */
  readonly name: string
  readonly value?: Argument
  /** How many operands stand in front of it. */
  readonly after: number
}

export type Reading =
  | {
      readonly type: "read"
      readonly options: readonly GivenOption[]
      readonly operands: readonly Argument[]
      /** How many of the operands stand in front of `--`; undefined where there is none. */
      readonly before?: number
    }
  | { readonly type: "outside"; readonly reason: string }

/** Reads the words of a program by its table, and by nothing else. */
export function readWords(words: readonly Argument[], table: ReadTable): Reading {
  const options: GivenOption[] = []
  const operands: Argument[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const text = word.value ?? word.pattern ?? ""
    if (text === "--" && word.value !== undefined)
      return {
        type: "read",
        options,
        operands: [...operands, ...words.slice(index + 1)],
        before: operands.length,
      }
    if (!text.startsWith("-") || (text === "-" && word.value !== undefined)) {
      if (table.stops) return { type: "read", options, operands: words.slice(index) }
      operands.push(word)
      continue
    }
    const next = (): Argument | undefined => words[++index]
    const given = text.startsWith("--")
      ? readLong(word, text, table, next)
      : readLetters(word, text, table, next)
    if (typeof given === "string") return { type: "outside", reason: given }
    options.push(...given.map((one) => ({ ...one, after: operands.length })))
  }
  return { type: "read", options, operands }
}

type Given = Omit<GivenOption, "after">
type Next = () => Argument | undefined

/** A text says why it is not in the table. */
function readLong(word: Argument, text: string, table: ReadTable, next: Next): readonly Given[] | string {
  const equals = table.apart ? -1 : text.indexOf("=")
  const written = equals < 0 ? text : text.slice(0, equals)
  const found = longOption(written, table)
  if (typeof found === "string") return found
  if (equals < 0 && word.value === undefined) return `which option ${word.written} is shows only when it runs`
  const { option, name } = found
  const attached = equals < 0 ? undefined : part(word, text.slice(equals + 1))
  if (option.takes === "none") return attached ? `${name} takes no value` : [{ option, name }]
  if (attached || option.takes === "optional") return [{ option, name, ...(attached && { value: attached }) }]
  const value = next()
  // Without it the program complains, or has one of its own.
  return [{ option, name, ...(value && { value }) }]
}

/** Any beginning will do that no other option has. */
function longOption(
  written: string,
  table: ReadTable,
): { readonly option: Option; readonly name: string } | string {
  const exact = table.named.get(written)
  if (exact) return { option: exact, name: written }
  const names = table.whole
    ? []
    : [...table.named.keys()].filter((name) => name.startsWith("--") && name.startsWith(written))
  const options = new Set(names.map((name) => table.named.get(name)!))
  const [option] = options
  if (option && options.size === 1) return { option, name: names[0]! }
  if (table.negates && written.startsWith("--no-")) {
    const positive = longOption(`--${written.slice(5)}`, { ...table, negates: undefined })
    if (typeof positive !== "string") return { option: negated, name: `--no-${positive.name.slice(2)}` }
  }
  if (options.size > 1) return `${written} is short for several options`
  return `it does not have the option ${written}`
}

const negated: Option = { names: [], takes: "none", use: "text" }

function readLetters(word: Argument, text: string, table: ReadTable, next: Next): readonly Given[] | string {
  const number = table.named.get("-NUM")
  if (number && word.value !== undefined && /^-[0-9]+$/.test(text))
    return [{ option: number, name: "-NUM", value: plainArgument(text.slice(1)) }]
  const given: Given[] = []
  for (let place = 1; place < text.length; place++) {
    const name = `-${text[place]!}`
    const option = table.named.get(name)
    if (!option) return `it does not have the option ${name}`
    if (option.takes === "none") {
      given.push({ option, name })
      continue
    }
    const rest = text.slice(place + 1)
    if (rest !== "" && table.detached) return `where the value of ${name} stands is not plain`
    if (rest !== "" || word.value === undefined) return [...given, { option, name, value: part(word, rest) }]
    if (option.takes === "optional") return [...given, { option, name }]
    const value = next()
    return [...given, { option, name, ...(value && { value }) }]
  }
  return word.value === undefined ? `which option ${word.written} is shows only when it runs` : given
}

/** What stands behind a name in the same word; where a star follows it, names of files. */
const part = (word: Argument, text: string): Argument =>
  word.value === undefined ? { written: word.written, value: undefined, pattern: text } : plainArgument(text)
