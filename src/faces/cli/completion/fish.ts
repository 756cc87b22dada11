import type { CliCommand, CommandArgument } from "../command.ts"
import { globalOptions } from "../global-options.ts"
import {
  agentNamesCommand,
  type CompletionOffer,
  getCompletionOffer,
  listCommandOptions,
  listVisibleOptions,
  type NamedOption,
  runIdsCommand,
} from "./offer.ts"

export function writeFishCompletion(commands: readonly CliCommand[]): string {
  const names = commands.map(({ name }) => name)
  const first = quoteFish(`not __fish_seen_subcommand_from ${[...names, "help"].join(" ")}`)
  const lines = [
    "complete -c cadre -f",
    ...listVisibleOptions(globalOptions).map((option) => optionLine(first, option)),
    ...commands.map(({ name, summary }) => wordLine(first, [name], summary)),
    wordLine(first, ["help"], "Show the help of a command"),
    wordLine(quoteFish("__fish_seen_subcommand_from help"), names, "Command"),
    ...commands.flatMap((command) => {
      const within = quoteFish(`__fish_seen_subcommand_from ${command.name}`)
      return [
        ...listCommandOptions(command).map((option) => optionLine(within, option)),
        ...command.arguments.flatMap((argument) => argumentLine(within, argument)),
      ]
    }),
  ]
  return `${lines.join("\n")}\n`
}

function optionLine(condition: string, { name, option }: NamedOption): string {
  const short = option.short === undefined ? "" : ` -s ${option.short}`
  const value = option.type === "flag" ? "" : ` ${valueWords(getCompletionOffer(option))}`
  return `complete -c cadre -n ${condition} -l ${name}${short}${value} -d ${quoteFish(option.doc)}`
}

/** fish does not count arguments, so the words of all arguments are offered at each place. */
function argumentLine(condition: string, argument: CommandArgument): readonly string[] {
  const offer = getCompletionOffer(argument)
  if (offer.type === "nothing") return []
  if (offer.type === "files") return [`complete -c cadre -n ${condition} -F`]
  return [`complete -c cadre -n ${condition} -a ${words(offer)} -d ${quoteFish(argument.name.toUpperCase())}`]
}

function wordLine(condition: string, offered: readonly string[], doc: string): string {
  return `complete -c cadre -n ${condition} -a ${quoteFish(offered.join(" "))} -d ${quoteFish(doc)}`
}

/** `-r` requires a value. `-x` requires a value and does not complete files. */
function valueWords(offer: CompletionOffer): string {
  if (offer.type === "files") return "-r -F"
  return offer.type === "nothing" ? "-x" : `-x -a ${words(offer)}`
}

function words(offer: CompletionOffer & { type: "words" | "agents" | "runs" }): string {
  if (offer.type === "words") return quoteFish(offer.words.join(" "))
  return quoteFish(`(${offer.type === "agents" ? agentNamesCommand : runIdsCommand})`)
}

function quoteFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`
}
