/** What a value or an operand is to a program. */
export type Use =
  /** Words, numbers, patterns: nothing is opened. */
  | "text"
  | "read"
  /** The same, but `-` is no input: it is the name of a file. */
  | "named"
  /** With everything below it. */
  | "read-below"
  | "write"
  /** The same, but `-` is its output. */
  | "output"
  | "write-below"
  /** A file with names of files, which nobody knows before it is read. */
  | "names"
  /** A file of settings, which may say anything. */
  | "settings"
  /** A program that it runs. */
  | "run"
  | "host"
  /** Whatever it does with it, it cannot be told beforehand. */
  | "unclear"
  /** A function tells it of all operands. */
  | "judged"

export interface Option {
  /** As they are written: `-o`, `--output`. `-NUM` is any number. */
  readonly names: readonly string[]
  readonly takes: "none" | "required" | "optional"
  /** Of its value; of an option without one, `text`, or `unclear`. */
  readonly use: Use
}

export interface Operand {
  readonly use: Use
  readonly many: "one" | "rest"
}

/** How a program reads its words. Left out: as getopt_long of the GNU C library does. */
export interface Grammar {
  /** Options end at the first operand. */
  readonly stops?: true
  /** A beginning of a long option is not that option. */
  readonly whole?: true
  /** A long option and its value are two words, never joined by `=`. */
  readonly apart?: true
  /** The value of a letter is always the next word. */
  readonly detached?: true
  /** `--no-x` takes back `--x`. */
  readonly negates?: true | undefined
}

/**
 * Everything that a program can be told, for one version of it. Whatever stands in a command and not in here makes the
 * command one that nobody knows.
 */
export interface Table extends Grammar {
  /** The package and its version: `coreutils 9.1`. */
  readonly version: string
  /**
   * Separated by blanks. `-o,--output=write`: both names, with a value that is written. `-i,--in-place[=text]`: the value
   * may be left out. `-b,--brief`: none. `-x!`: none, and what it does cannot be told.
   */
  readonly options: string
  /** Separated by blanks: what each operand is. `read*`: all further ones. */
  readonly operands: string
}

/** Tables of programs of one package. */
export type Tables = Readonly<Record<string, Omit<Table, "version">>>

export interface ReadTable extends Grammar {
  readonly version: string
  readonly options: readonly Option[]
  readonly operands: readonly Operand[]
  /** By each of their names. */
  readonly named: ReadonlyMap<string, Option>
}

const read = new WeakMap<Table, ReadTable>()

export function readTable(table: Table): ReadTable {
  const known = read.get(table)
  if (known) return known
  const options = words(table.options).map(readOption)
  const operands = words(table.operands).map(
    (word): Operand => ({
      use: word.replace("*", "") as Use,
      many: word.endsWith("*") ? "rest" : "one",
    }),
  )
  const named = new Map<string, Option>()
  for (const option of options) for (const name of option.names) if (!named.has(name)) named.set(name, option)
  const result: ReadTable = { ...table, options, operands, named }
  read.set(table, result)
  return result
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")

function readOption(text: string): Option {
  const [, names, unclear, optional, required] =
    /^((?:-[^\s=[!]|-NUM|--[^\s=[!,]+)(?:,(?:-[^\s=[!]|--[^\s=[!,]+))*)(?:(!)|\[=([a-z-]+)\]|=([a-z-]+))?$/.exec(
      text,
    ) ?? []
  if (names === undefined) throw new Error(`No option of a table: ${text}`)
  const use = (optional ?? required ?? (unclear ? "unclear" : "text")) as Use
  return {
    names: names.split(/,(?=-)/),
    takes: optional ? "optional" : required ? "required" : "none",
    use,
  }
}
