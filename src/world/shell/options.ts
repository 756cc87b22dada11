import { makePlainArgument, type ShellArgument } from "./resolve-word.ts"

export interface ParsedOptions {
  /** As they are written: `-o`, `--output`. */
  readonly flags: readonly { readonly name: string; readonly value?: ShellArgument }[]
  readonly operands: readonly ShellArgument[]
}

export interface OptionTable {
  /** Letters of options that take a value. */
  readonly short?: string
  /** Long options that take a value, without the dashes. */
  readonly long?: readonly string[]
  /** Options end at the first operand, because another command follows. */
  readonly stops?: true
}

/** Reads options and operands the way most programs do. */
export function readOptions(words: readonly ShellArgument[], table: OptionTable = {}): ParsedOptions {
  const flags: { name: string; value?: ShellArgument }[] = []
  const operands: ShellArgument[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const text = word.value ?? word.pattern ?? ""
    if (text === "--") {
      operands.push(...words.slice(index + 1))
      break
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=")
      const name = equals < 0 ? text : text.slice(0, equals)
      if (equals >= 0) flags.push({ name, value: rest(word, text.slice(equals + 1)) })
      else if (table.long?.some((long) => isLongOption(name, long)))
        flags.push(withValue(name, words[++index]))
      else flags.push({ name })
    } else if (text.startsWith("-") && text.length > 1) {
      for (let place = 1; place < text.length; place++) {
        const letter = text[place]!
        if (!table.short?.includes(letter)) {
          flags.push({ name: `-${letter}` })
          continue
        }
        const attached = text.slice(place + 1)
        flags.push(
          attached
            ? { name: `-${letter}`, value: rest(word, attached) }
            : withValue(`-${letter}`, words[++index]),
        )
        break
      }
    } else if (table.stops) {
      operands.push(...words.slice(index))
      break
    } else operands.push(word)
  }
  return { flags, operands }
}

/** True if a word is a long option or an abbreviation of it, which most programs accept. */
export const isLongOption = (name: string, long: string): boolean =>
  name.length > 3 ? `--${long}`.startsWith(name) : name === `--${long}`

export function hasFlag({ flags }: ParsedOptions, ...names: readonly string[]): boolean {
  return flags.some(({ name }) =>
    names.some((flag) => (flag.startsWith("--") ? isLongOption(name, flag.slice(2)) : name === flag)),
  )
}

export function listFlagValues(
  { flags }: ParsedOptions,
  ...names: readonly string[]
): readonly ShellArgument[] {
  return flags.flatMap(({ name, value }) =>
    value && names.some((flag) => (flag.startsWith("--") ? isLongOption(name, flag.slice(2)) : name === flag))
      ? [value]
      : [],
  )
}

const withValue = (name: string, value: ShellArgument | undefined) => (value ? { name, value } : { name })

const rest = (word: ShellArgument, text: string): ShellArgument =>
  word.value === undefined ? { written: text, value: undefined, pattern: text } : makePlainArgument(text)
