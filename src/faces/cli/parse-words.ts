import { parseArgs } from "node:util"
import { listKnownNames } from "../../ground/errors.ts"
import {
  type ArgumentValues,
  type CliCommand,
  type CommandArgument,
  type CommandOption,
  type OptionValues,
  takesSeveral,
} from "./command.ts"
import { commonOptions } from "./global-options.ts"
import { writeUsage } from "./help.ts"
import { UsageError } from "./usage-error.ts"

export type ParsedWords =
  | { readonly type: "help" }
  | {
      readonly type: "values"
      readonly arguments: ArgumentValues
      readonly options: OptionValues
      readonly colour: "never" | "automatic"
    }

/** Parses the words after a command's name. `--help` works even if other words are wrong. */
export function parseWords(command: CliCommand, words: readonly string[]): ParsedWords {
  const knownOptions: Readonly<Record<string, CommandOption>> = { ...command.options, ...commonOptions }
  const tokens = tokensOf(words, knownOptions)
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return { type: "help" }
  const { "no-color": noColour, ...options } = optionValues(command, knownOptions, tokens)
  const positionals = tokens.flatMap((token) => (token.kind === "positional" ? token.value : []))
  return {
    type: "values",
    arguments: argumentValues(command, positionals),
    options,
    colour: noColour ? "never" : "automatic",
  }
}

type Token = ReturnType<typeof tokensOf>[number]

/** Not strict, because the errors of `parseArgs` name neither the command nor its options. */
function tokensOf(words: readonly string[], knownOptions: Readonly<Record<string, CommandOption>>) {
  const options = Object.fromEntries(
    Object.entries(knownOptions).map(([name, { type, short }]) => [
      name,
      { type: type === "flag" ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  )
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function optionValues(
  command: CliCommand,
  knownOptions: Readonly<Record<string, CommandOption>>,
  tokens: readonly Token[],
): OptionValues {
  const values = new Map<string, string | readonly string[] | true>()
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const option = Object.hasOwn(knownOptions, token.name) ? knownOptions[token.name] : undefined
    if (!option) throw createUnknownOptionError(token.rawName, knownOptions, `"cadre ${command.name}"`)
    const value = optionValue(token, option)
    const before = values.get(token.name)
    const isList = option.type === "value" && option.repeatable && value !== true
    values.set(token.name, isList ? [...(Array.isArray(before) ? before : []), value] : value)
  }
  return Object.fromEntries(values)
}

export function createUnknownOptionError(
  word: string,
  knownOptions: Readonly<Record<string, CommandOption>>,
  owner: string,
): UsageError {
  const names = Object.entries(knownOptions).filter(([, { hidden }]) => !hidden)
  return new UsageError(
    `Unknown option ${JSON.stringify(word)} of ${owner}. ${listKnownNames(
      word,
      names.map(([name]) => `--${name}`),
    )}`,
  )
}

function optionValue(token: Token & { kind: "option" }, option: CommandOption): string | true {
  if (option.type === "flag") {
    if (token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value. Remove ${JSON.stringify(token.value)}.`)
    return true
  }
  // A short option with its value in the same word, such as -fjson, counts as inline too.
  if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value)))
    throw new UsageError(
      `${token.rawName} needs a value: ${token.rawName} ${option.value}. ` +
        `If the value begins with "-", write --${token.name}=VALUE.`,
    )
  return requireChoice(token.value, option.choices, token.rawName)
}

function argumentValues(command: CliCommand, positionals: readonly string[]): ArgumentValues {
  const values: Record<string, string | readonly string[] | undefined> = {}
  let rest = positionals
  for (const argument of command.arguments) {
    const argumentWords = takesSeveral(argument) ? rest : rest.slice(0, 1)
    rest = rest.slice(argumentWords.length)
    if (
      argumentWords.length === 0 &&
      (argument.count === undefined || argument.count === "one" || argument.count === "some")
    )
      throw new UsageError(
        `Missing argument ${argument.name.toUpperCase()}.${knownChoices(argument)} Usage: ${writeUsage(command)}`,
      )
    const words = argumentWords.map((word) =>
      requireChoice(word, argument.choices, argument.name.toUpperCase()),
    )
    values[argument.name] = takesSeveral(argument) ? words : words[0]
  }
  if (rest.length > 0) throw tooMany(command, positionals.length - rest.length, rest)
  return values
}

function knownChoices({ choices }: CommandArgument): string {
  return choices ? ` ${listKnownNames("", choices)}` : ""
}

function tooMany(command: CliCommand, count: number, rest: readonly string[]): UsageError {
  const takes = count === 0 ? "no arguments" : count === 1 ? "one argument" : `${count} arguments`
  const more = rest.length === 1 ? "" : ` and ${rest.length - 1} more`
  return new UsageError(
    `"cadre ${command.name}" takes ${takes}. Unexpected: ${JSON.stringify(rest[0])}${more}.`,
  )
}

function requireChoice(word: string, choices: readonly string[] | undefined, place: string): string {
  if (!choices || choices.includes(word)) return word
  throw new UsageError(`Unknown value ${JSON.stringify(word)} for ${place}. ${listKnownNames(word, choices)}`)
}
