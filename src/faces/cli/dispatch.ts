import { listKnownNames } from "../../ground/errors.ts"
import { version } from "../../ground/version.ts"
import type { CliCommand, Flag, ProcessContext, Writer } from "./command.ts"
import { type ListedCommand, commands as listedCommands } from "./commands.ts"
import { type ExitCode, exitCode } from "./exit-code.ts"
import { globalOptions } from "./global-options.ts"
import { writeCommandHelp, writeOverview } from "./help.ts"
import { createUnknownOptionError, parseWords } from "./parse-words.ts"
import { reportFailure } from "./report-failure.ts"
import { removeLeftStandIns } from "./stand-ins.ts"
import { chooseColour } from "./terminal/colour.ts"
import { writeJsonText } from "./terminal/json-text.ts"
import { UsageError } from "./usage-error.ts"

/** Runs a command line and returns its exit code. Every error is reported on stderr; this function never throws. */
export async function dispatch(
  words: readonly string[],
  surroundings: ProcessContext,
  commands: readonly ListedCommand[] = listedCommands,
): Promise<ExitCode> {
  let help = "cadre --help"
  const output = watchOutput(surroundings.stdout)
  try {
    const request = readRequest(words)
    if ("name" in request && commands.some(({ name }) => name === request.name))
      help = `cadre help ${request.name}`
    return await answer(request, { ...surroundings, stdout: output }, commands)
  } catch (thrown) {
    // A command that has printed JSON already has told its error there.
    if (wantsJson(words) && !output.isUsed()) {
      const { toFailureJson } = await import("./run/failure-json.ts")
      surroundings.stdout.write(writeJsonText({ error: toFailureJson(thrown, surroundings.directory) }))
    }
    return reportFailure(thrown, surroundings, help)
  }
}

/** `--json` before a `--`, even where the rest of the command line is wrong. */
const wantsJson = (words: readonly string[]): boolean =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : words.length).includes("--json")

/** Passes everything on, and tells whether anything was written. */
function watchOutput(stdout: Writer): Writer & { isUsed(): boolean } {
  let used = false
  return {
    write(text) {
      used ||= text !== ""
      return stdout.write(text)
    },
    isUsed: () => used,
  }
}

type Request =
  | { readonly type: "version" | "overview" | "nothing" }
  | { readonly type: "help"; readonly name: string }
  | { readonly type: "command"; readonly name: string; readonly words: readonly string[] }

function readRequest(words: readonly string[]): Request {
  const commandIndex = words.findIndex((word) => !word.startsWith("-"))
  const at = commandIndex < 0 ? words.length : commandIndex
  const flags = words.slice(0, at).map(globalFlag)
  if (flags.includes("version")) return { type: "version" }
  const name = words[at]
  if (name === "help") return helpRequest(words.slice(at + 1))
  if (name === undefined) return { type: flags.includes("help") ? "overview" : "nothing" }
  if (flags.includes("help")) return { type: "help", name }
  return { type: "command", name, words: words.toSpliced(at, 1) }
}

function helpRequest(words: readonly string[]): Request {
  words.filter((word) => word.startsWith("-")).map(globalFlag)
  const [name, extra] = words.filter((word) => !word.startsWith("-"))
  if (extra !== undefined)
    throw new UsageError(`"cadre help" takes one command. Unexpected argument: ${JSON.stringify(extra)}.`)
  return name === undefined || name === "help" ? { type: "overview" } : { type: "help", name }
}

function globalFlag(word: string): keyof typeof globalOptions {
  const names = Object.keys(globalOptions) as (keyof typeof globalOptions)[]
  const name = names.find(
    (candidate) => word === `--${candidate}` || word === shortOf(globalOptions[candidate]),
  )
  if (name === undefined) throw createUnknownOptionError(word, globalOptions, '"cadre"')
  return name
}

function shortOf({ short }: Flag): string | undefined {
  return short === undefined ? undefined : `-${short}`
}

async function answer(
  request: Request,
  surroundings: ProcessContext,
  commands: readonly ListedCommand[],
): Promise<ExitCode> {
  switch (request.type) {
    case "version":
      surroundings.stdout.write(`${version}\n`)
      return exitCode.fine
    case "overview":
      surroundings.stdout.write(writeOverview(commands))
      return exitCode.fine
    case "nothing":
      surroundings.stderr.write(writeOverview(commands))
      return exitCode.usage
    case "help":
      surroundings.stdout.write(writeCommandHelp(await find(request.name, commands).load()))
      return exitCode.fine
    case "command":
      return await run(await find(request.name, commands).load(), request.words, surroundings)
  }
}

function find(name: string, commands: readonly ListedCommand[]): ListedCommand {
  const command = commands.find((candidate) => candidate.name === name)
  if (command) return command
  const names = [...commands.map((command) => command.name), "help"]
  throw new UsageError(`Unknown command ${JSON.stringify(name)}. ${listKnownNames(name, names)}`)
}

async function run(
  command: CliCommand,
  words: readonly string[],
  surroundings: ProcessContext,
): Promise<ExitCode> {
  const parsed = parseWords(command, words)
  if (parsed.type === "help") {
    surroundings.stdout.write(writeCommandHelp(command))
    return exitCode.fine
  }
  await removeLeftStandIns(surroundings)
  const { arguments: values, options } = parsed
  const colour = chooseColour(parsed.colour, surroundings)
  return await command.run({ ...surroundings, arguments: values, options, colour })
}
