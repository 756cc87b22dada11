import type { Argument, Command, Example, Option } from "./command.ts"
import type { ListedCommand } from "./commands.ts"
import { everywhere, globalOptions } from "./global-options.ts"

const examples: readonly Example[] = [
  { line: "cadre list", doc: "List every agent that cadre finds here" },
  { line: "cadre check", doc: "Check them" },
  { line: "cadre help check", doc: "Show all about one command" },
]

/** What `cadre --help` prints. */
export function overview(commands: readonly ListedCommand[]): string {
  const rows = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ["help", "Show the help of a command"] as const,
  ]
  return [
    "cadre defines, checks, converts, routes, runs, observes and tests subagents.\n",
    "Usage: cadre COMMAND [OPTIONS] [ARGUMENTS]\n",
    section("Commands", table(rows)),
    section("Options", table(optionRows(globalOptions))),
    section("Examples", exampleLines(examples)),
    'Run "cadre help COMMAND" for everything about one of them.\n',
  ].join("\n")
}

/** What `cadre help NAME` prints. */
export function commandHelp(command: Command): string {
  const argumentRows = command.arguments.map(
    (argument) => [argument.name.toUpperCase(), withChoices(argument.doc, argument.choices)] as const,
  )
  return [
    `${command.summary}.\n`,
    `Usage: ${usageOf(command)}\n`,
    ...(argumentRows.length > 0 ? [section("Arguments", table(argumentRows))] : []),
    section("Options", table(optionRows({ ...command.options, ...everywhere }))),
    ...(command.examples.length > 0 ? [section("Examples", exampleLines(command.examples))] : []),
  ].join("\n")
}

export function usageOf(command: Command): string {
  return (
    command.usage ?? ["cadre", command.name, "[OPTIONS]", ...command.arguments.map(argumentUsage)].join(" ")
  )
}

function argumentUsage({ name, count = "one" }: Argument): string {
  const shown = name.toUpperCase()
  return { one: shown, optional: `[${shown}]`, any: `[${shown}...]`, some: `${shown}...` }[count]
}

type Row = readonly [left: string, right: string]

function optionRows(options: Readonly<Record<string, Option>>): readonly Row[] {
  return Object.entries(options)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, option]) => {
      const short = option.short === undefined ? "    " : `-${option.short}, `
      if (option.type === "flag") return [`${short}--${name}`, option.doc]
      return [`${short}--${name} ${option.value}`, withChoices(option.doc, option.choices)]
    })
}

function withChoices(doc: string, choices: readonly string[] | undefined): string {
  return choices ? `${doc}: ${choices.join(", ")}` : doc
}

function exampleLines(shown: readonly Example[]): string {
  return shown.map(({ line, doc }) => `  ${line}\n      ${doc}\n`).join("")
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("")
}

function section(title: string, body: string): string {
  return `${title}:\n${body}`
}
