import { type Argument, plainArgument } from "./resolve-word.ts"

export interface Options {
  /** As they are written: `-o`, `--output`. */
  readonly flags: readonly { readonly name: string; readonly value?: Argument }[]
  readonly operands: readonly Argument[]
}

export interface OptionTable {
  /** Letters that take a value. */
  readonly short?: string
  /** Long names that take a value, without the dashes. */
  readonly long?: readonly string[]
  /** Options end at the first operand: what follows is another command. */
  readonly stops?: true
}

/** The options and operands of a program, as most programs read them. */
export function readOptions(words: readonly Argument[], table: OptionTable = {}): Options {
  const flags: { name: string; value?: Argument }[] = []
  const operands: Argument[] = []
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
      else if (table.long?.some((long) => isLong(name, long))) flags.push(withValue(name, words[++index]))
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

/** Whether a long option is meant: programs take any beginning that is clear. */
export const isLong = (name: string, long: string): boolean =>
  name.length > 3 ? `--${long}`.startsWith(name) : name === `--${long}`

export function hasFlag({ flags }: Options, ...names: readonly string[]): boolean {
  return flags.some(({ name }) =>
    names.some((wanted) => (wanted.startsWith("--") ? isLong(name, wanted.slice(2)) : name === wanted)),
  )
}

export function valuesOf({ flags }: Options, ...names: readonly string[]): readonly Argument[] {
  return flags.flatMap(({ name, value }) =>
    value &&
    names.some((wanted) => (wanted.startsWith("--") ? isLong(name, wanted.slice(2)) : name === wanted))
      ? [value]
      : [],
  )
}

const withValue = (name: string, value: Argument | undefined) => (value ? { name, value } : { name })

const rest = (word: Argument, text: string): Argument =>
  word.value === undefined ? { written: text, value: undefined, pattern: text } : plainArgument(text)
