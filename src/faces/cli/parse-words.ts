import { parseArgs } from "node:util"
import { knownNames } from "../../ground/errors.ts"
import {
  type Argument,
  type ArgumentValues,
  type Command,
  type Option,
  type OptionValues,
  takesSeveral,
} from "./command.ts"
import { everywhere } from "./global-options.ts"
import { usageOf } from "./help.ts"
import { UsageError } from "./usage-error.ts"

export type Parsed =
  | { readonly type: "help" }
  | {
      readonly type: "values"
      readonly arguments: ArgumentValues
      readonly options: OptionValues
      readonly colour: "never" | "automatic"
    }

/** The words after a command's name. A wish for help is heard whatever else is wrong. */
export function parseWords(command: Command, words: readonly string[]): Parsed {
  const known: Readonly<Record<string, Option>> = { ...command.options, ...everywhere }
  const tokens = tokensOf(words, known)
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return { type: "help" }
  const { "no-color": noColour, ...options } = optionValues(command, known, tokens)
  const given = tokens.flatMap((token) => (token.kind === "positional" ? token.value : []))
  return {
    type: "values",
    arguments: argumentValues(command, given),
    options,
    colour: noColour ? "never" : "automatic",
  }
}

type Token = ReturnType<typeof tokensOf>[number]

/** Not strict, because the messages of `parseArgs` name neither the command nor what it knows. */
function tokensOf(words: readonly string[], known: Readonly<Record<string, Option>>) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short }]) => [
      name,
      { type: type === "flag" ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  )
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function optionValues(
  command: Command,
  known: Readonly<Record<string, Option>>,
  tokens: readonly Token[],
): OptionValues {
  const values = new Map<string, string | readonly string[] | true>()
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, known, `"cadre ${command.name}"`)
    const value = optionValue(token, option)
    const before = values.get(token.name)
    const isList = option.type === "value" && option.repeatable && value !== true
    values.set(token.name, isList ? [...(Array.isArray(before) ? before : []), value] : value)
  }
  return Object.fromEntries(values)
}

export function unknownOption(
  word: string,
  known: Readonly<Record<string, Option>>,
  owner: string,
): UsageError {
  const names = Object.entries(known).filter(([, { hidden }]) => !hidden)
  return new UsageError(
    `Unknown option ${JSON.stringify(word)} of ${owner}. ${knownNames(
      word,
      names.map(([name]) => `--${name}`),
    )}`,
  )
}

function optionValue(token: Token & { kind: "option" }, option: Option): string | true {
  if (option.type === "flag") {
    if (token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value, and was given ${JSON.stringify(token.value)}.`)
    return true
  }
  // A short option with its value in one word, -fjson, is inline too.
  if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value)))
    throw new UsageError(
      `${token.rawName} needs a value: ${token.rawName} ${option.value}. ` +
        `One that begins with "-" is written --${token.name}=VALUE.`,
    )
  return chosen(token.value, option.choices, token.rawName)
}

function argumentValues(command: Command, given: readonly string[]): ArgumentValues {
  const values: Record<string, string | readonly string[] | undefined> = {}
  let rest = given
  for (const argument of command.arguments) {
    const taken = takesSeveral(argument) ? rest : rest.slice(0, 1)
    rest = rest.slice(taken.length)
    if (
      taken.length === 0 &&
      (argument.count === undefined || argument.count === "one" || argument.count === "some")
    )
      throw new UsageError(
        `${argument.name.toUpperCase()} is missing in "${usageOf(command)}".${known(argument)}`,
      )
    const words = taken.map((word) => chosen(word, argument.choices, argument.name.toUpperCase()))
    values[argument.name] = takesSeveral(argument) ? words : words[0]
  }
  if (rest.length > 0) throw tooMany(command, given.length - rest.length, rest)
  return values
}

function known({ choices }: Argument): string {
  return choices ? ` ${knownNames("", choices)}` : ""
}

function tooMany(command: Command, count: number, rest: readonly string[]): UsageError {
  const takes = count === 0 ? "no arguments" : count === 1 ? "one argument" : `${count} arguments`
  const many = rest.length === 1 ? "one too many" : "the first of those too many"
  return new UsageError(`"cadre ${command.name}" takes ${takes}; ${JSON.stringify(rest[0])} is ${many}.`)
}

function chosen(word: string, choices: readonly string[] | undefined, place: string): string {
  if (!choices || choices.includes(word)) return word
  throw new UsageError(`Unknown value ${JSON.stringify(word)} for ${place}. ${knownNames(word, choices)}`)
}
