import { makePlainArgument, type ShellArgument } from "./resolve-word.ts"
import type { ParsedTable, ProgramOption } from "./table.ts"

export interface OptionOfCall {
  readonly option: ProgramOption
  /** The name in full: `--output`, also where it was abbreviated. */
  readonly name: string
  readonly value?: ShellArgument
  /** The number of operands in front of the option. */
  readonly after: number
}

export type WordsReading =
  | {
      readonly type: "read"
      readonly options: readonly OptionOfCall[]
      readonly operands: readonly ShellArgument[]
      /** The number of operands in front of `--`; undefined without a `--`. */
      readonly before?: number
    }
  | { readonly type: "outside"; readonly reason: string }

/** Reads the words of a program by its table alone. */
export function readWords(words: readonly ShellArgument[], table: ParsedTable): WordsReading {
  const options: OptionOfCall[] = []
  const operands: ShellArgument[] = []
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
    const next = (): ShellArgument | undefined => words[++index]
    const result = text.startsWith("--")
      ? readLong(word, text, table, next)
      : readLetters(word, text, table, next)
    if (typeof result === "string") return { type: "outside", reason: result }
    options.push(...result.map((one) => ({ ...one, after: operands.length })))
  }
  return { type: "read", options, operands }
}

type UnplacedOption = Omit<OptionOfCall, "after">
type Next = () => ShellArgument | undefined

/** Returns a string with the reason where the option is not in the table. */
function readLong(
  word: ShellArgument,
  text: string,
  table: ParsedTable,
  next: Next,
): readonly UnplacedOption[] | string {
  const equals = table.apart ? -1 : text.indexOf("=")
  const written = equals < 0 ? text : text.slice(0, equals)
  const match = longOption(written, table)
  if (typeof match === "string") return match
  if (equals < 0 && word.value === undefined)
    return `the option ${word.written} is only known when the command runs`
  const { option, name } = match
  const attached = equals < 0 ? undefined : restOf(word, text.slice(equals + 1))
  if (option.takes === "none") return attached ? `${name} takes no value` : [{ option, name }]
  if (attached || option.takes === "optional") return [{ option, name, ...(attached && { value: attached }) }]
  const value = next()
  // Without a value, the program reports an error or uses a default.
  return [{ option, name, ...(value && { value }) }]
}

/** Accepts an abbreviation that fits only one option. */
function longOption(
  written: string,
  table: ParsedTable,
): { readonly option: ProgramOption; readonly name: string } | string {
  const exact = table.optionsByName.get(written)
  if (exact) return { option: exact, name: written }
  const names = table.whole
    ? []
    : [...table.optionsByName.keys()].filter((name) => name.startsWith("--") && name.startsWith(written))
  const options = new Set(names.map((name) => table.optionsByName.get(name)!))
  const [option] = options
  if (option && options.size === 1) return { option, name: names[0]! }
  if (table.negates && written.startsWith("--no-")) {
    const positive = longOption(`--${written.slice(5)}`, { ...table, negates: undefined })
    if (typeof positive !== "string") return { option: negated, name: `--no-${positive.name.slice(2)}` }
  }
  if (options.size > 1) return `${written} is ambiguous: several options begin so`
  return `unknown option ${written}`
}

const negated: ProgramOption = { names: [], takes: "none", use: "text" }

function readLetters(
  word: ShellArgument,
  text: string,
  table: ParsedTable,
  next: Next,
): readonly UnplacedOption[] | string {
  const number = table.optionsByName.get("-NUM")
  if (number && word.value !== undefined && /^-[0-9]+$/.test(text))
    return [{ option: number, name: "-NUM", value: makePlainArgument(text.slice(1)) }]
  const options: UnplacedOption[] = []
  for (let place = 1; place < text.length; place++) {
    const name = `-${text[place]!}`
    const option = table.optionsByName.get(name)
    if (!option) return `unknown option ${name}`
    if (option.takes === "none") {
      options.push({ option, name })
      continue
    }
    const rest = text.slice(place + 1)
    if (rest !== "" && table.detached) return `the value of ${name} cannot be located`
    if (rest !== "" || word.value === undefined)
      return [...options, { option, name, value: restOf(word, rest) }]
    if (option.takes === "optional") return [...options, { option, name }]
    const value = next()
    return [...options, { option, name, ...(value && { value }) }]
  }
  return word.value === undefined ? `the option ${word.written} is only known when the command runs` : options
}

/** The text behind a name in the same word. In a word with a `*`, it stands for names of files. */
const restOf = (word: ShellArgument, text: string): ShellArgument =>
  word.value === undefined
    ? { written: word.written, value: undefined, pattern: text }
    : makePlainArgument(text)
