import type { CliCommand, CommandArgument, CommandExample, CommandOption } from "./command.ts"
import type { ListedCommand } from "./commands.ts"
import { commonOptions, globalOptions } from "./global-options.ts"

const examples: readonly CommandExample[] = [
  { line: "cadre list", doc: "List every agent that cadre finds here" },
  { line: "cadre check", doc: "Check their files" },
  { line: "cadre help check", doc: "Show the help of one command" },
]

/** The text of `cadre --help`. */
export function writeOverview(commands: readonly ListedCommand[]): string {
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
    'Run "cadre help COMMAND" for the options and examples of a command.\n',
  ].join("\n")
}

/** The text of `cadre help NAME`. */
export function writeCommandHelp(command: CliCommand): string {
  const argumentRows = command.arguments.map(
    (argument) => [argument.name.toUpperCase(), withChoices(argument.doc, argument.choices)] as const,
  )
  return [
    `${command.summary}.\n`,
    `Usage: ${writeUsage(command)}\n`,
    ...(argumentRows.length > 0 ? [section("Arguments", table(argumentRows))] : []),
    section("Options", table(optionRows({ ...command.options, ...commonOptions }))),
    ...(command.examples.length > 0 ? [section("Examples", exampleLines(command.examples))] : []),
  ].join("\n")
}

export function writeUsage(command: CliCommand): string {
  return (
    command.usage ?? ["cadre", command.name, "[OPTIONS]", ...command.arguments.map(argumentUsage)].join(" ")
  )
}

function argumentUsage({ name, count = "one" }: CommandArgument): string {
  const placeholder = name.toUpperCase()
  return {
    one: placeholder,
    optional: `[${placeholder}]`,
    any: `[${placeholder}...]`,
    some: `${placeholder}...`,
  }[count]
}

type Row = readonly [left: string, right: string]

function optionRows(options: Readonly<Record<string, CommandOption>>): readonly Row[] {
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

function exampleLines(list: readonly CommandExample[]): string {
  return list.map(({ line, doc }) => `  ${line}\n      ${doc}\n`).join("")
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("")
}

function section(title: string, body: string): string {
  return `${title}:\n${body}`
}
