/** The use of an option's value or an operand by a program. */
export type WordUse =
  /** Words, numbers, patterns: no file is opened. */
  | "text"
  | "read"
  /** Like `read`, but `-` is the name of a file and not the input. */
  | "named"
  /** Like `read`, with everything below the folder. */
  | "read-below"
  | "write"
  /** Like `write`, but `-` is the program's output. */
  | "output"
  | "write-below"
  /** A file that lists names of files, which are unknown before the file is read. */
  | "names"
  /** A file of settings, which may have any effect. */
  | "settings"
  /** A program that this program runs. */
  | "run"
  /** A host that the program connects to. */
  | "host"
  /** A use that cannot be determined in advance. */
  | "unclear"
  /** A function in cadre for this program reports all operands. */
  | "judged"

export interface ProgramOption {
  /** As they are written: `-o`, `--output`. `-NUM` is any number. */
  readonly names: readonly string[]
  readonly takes: "none" | "required" | "optional"
  /** The use of the option's value. An option without a value has `text` or `unclear`. */
  readonly use: WordUse
}

export interface Operand {
  readonly use: WordUse
  readonly many: "one" | "rest"
}

/** The way in which a program reads its words. Default: like getopt_long of the GNU C library. */
export interface OptionGrammar {
  /** Options end at the first operand. */
  readonly stops?: true
  /** Long options cannot be abbreviated. */
  readonly whole?: true
  /** A long option and its value are two words, never joined by `=`. */
  readonly apart?: true
  /** The value of a single-letter option is always the next word. */
  readonly detached?: true
  /** `--no-x` reverses `--x`. */
  readonly negates?: true | undefined
}

/**
 * All options and operands of a program, for one version of it. A command with anything else in it has
 * unknown effects.
 */
export interface Table extends OptionGrammar {
  /** The package and its version: `coreutils 9.1`. */
  readonly version: string
  /**
   * Separated by blanks. `-o,--output=write`: two names, and a value that names a file to write.
   * `-i,--in-place[=text]`: the value is optional. `-b,--brief`: no value. `-x!`: no value, and an unknown
   * effect.
   */
  readonly options: string
  /** The use of each operand, separated by blanks. `read*`: all further operands are read. */
  readonly operands: string
}

/** The tables of the programs in one package. */
export type Tables = Readonly<Record<string, Omit<Table, "version">>>

export interface ParsedTable extends OptionGrammar {
  readonly version: string
  readonly options: readonly ProgramOption[]
  readonly operands: readonly Operand[]
  /** The options by each of their names. */
  readonly optionsByName: ReadonlyMap<string, ProgramOption>
}

const parsedTables = new WeakMap<Table, ParsedTable>()

export function parseTable(table: Table): ParsedTable {
  const cached = parsedTables.get(table)
  if (cached) return cached
  const options = splitWords(table.options).map(readOption)
  const operands = splitWords(table.operands).map(
    (word): Operand => ({
      use: word.replace("*", "") as WordUse,
      many: word.endsWith("*") ? "rest" : "one",
    }),
  )
  const named = new Map<string, ProgramOption>()
  for (const option of options) for (const name of option.names) if (!named.has(name)) named.set(name, option)
  const result: ParsedTable = { ...table, options, operands, optionsByName: named }
  parsedTables.set(table, result)
  return result
}

const splitWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")

function readOption(text: string): ProgramOption {
  const [, names, unclear, optional, required] =
    /^((?:-[^\s=[!]|-NUM|--[^\s=[!,]+)(?:,(?:-[^\s=[!]|--[^\s=[!,]+))*)(?:(!)|\[=([a-z-]+)\]|=([a-z-]+))?$/.exec(
      text,
    ) ?? []
  if (names === undefined) throw new Error(`Invalid option in a table: ${text}`)
  const use = (optional ?? required ?? (unclear ? "unclear" : "text")) as WordUse
  return {
    names: names.split(/,(?=-)/),
    takes: optional ? "optional" : required ? "required" : "none",
    use,
  }
}
