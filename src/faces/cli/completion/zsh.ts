import { type CliCommand, type CommandArgument, takesSeveral } from "../command.ts"
import { globalOptions } from "../global-options.ts"
import {
  agentNamesCommand,
  type CompletionOffer,
  getCompletionOffer,
  listCommandOptions,
  listVisibleOptions,
  type NamedOption,
  quoteForShell,
  runIdsCommand,
} from "./offer.ts"

/** The user sources the script, or saves it as `_cadre` in a folder of `fpath`. */
export function writeZshCompletion(commands: readonly CliCommand[]): string {
  return `#compdef cadre

_cadre_agents() {
  local -a names
  names=(\${(f)"$(${agentNamesCommand})"})
  compadd -a names
}

_cadre_runs() {
  local -a ids
  ids=(\${(f)"$(${runIdsCommand})"})
  compadd -a ids
}

_cadre_commands() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoteForShell(`${escapeColon(name)}:${summary}`)}`).join("\n")}
    'help:Show the help of a command'
  )
  _describe command commands
}

_cadre() {
  local curcontext="$curcontext" context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${listVisibleOptions(globalOptions).map(optionLine).join("")}    '(-): :_cadre_commands' \\
    '(-)*:: :->argument'
  [[ $state == argument ]] || return
  case $words[1] in
    help)
      _arguments '1:command:_cadre_commands'
      ;;
${commands.map(commandCase).join("")}  esac
}

if [[ $funcstack[1] == _cadre ]]; then _cadre "$@"; else compdef _cadre cadre; fi
`
}

function commandCase(command: CliCommand): string {
  const lines = [...listCommandOptions(command).map(optionLine), ...command.arguments.map(argumentLine)]
  return `    ${quoteForShell(command.name)})
      _arguments \\
${lines
  .map((line) => `    ${line}`)
  .join("")
  .replace(/ \\\n$/, "\n")}      ;;
`
}

function optionLine({ spellings, option }: NamedOption): string {
  const isList = option.type === "value" && option.repeatable === true
  const alone = isList ? "'*'" : spellings.length > 1 ? quoteForShell(`(${spellings.join(" ")})`) : ""
  const markedSpellings = option.type === "flag" ? spellings : spellings.map(withValue)
  const names = markedSpellings.length > 1 ? `{${markedSpellings.join(",")}}` : markedSpellings[0]
  const value =
    option.type === "flag" ? "" : `:${escapeColon(option.value)}:${action(getCompletionOffer(option))}`
  return `    ${alone}${names}${quoteForShell(`[${option.doc.replaceAll(/[[\]\\]/g, "\\$&")}]${value}`)} \\\n`
}

/** Allows `-f json` and `-fjson`, `--format json` and `--format=json`. */
function withValue(spelling: string): string {
  return spelling.startsWith("--") ? `${spelling}=` : `${spelling}+`
}

function argumentLine(argument: CommandArgument, index: number): string {
  const place = takesSeveral(argument) ? "*" : index + 1
  return `    ${quoteForShell(`${place}:${escapeColon(argument.name.toUpperCase())}:${action(getCompletionOffer(argument))}`)} \\\n`
}

function action(offer: CompletionOffer): string {
  switch (offer.type) {
    case "words":
      return `(${offer.words.join(" ")})`
    case "agents":
      return "_cadre_agents"
    case "runs":
      return "_cadre_runs"
    case "files":
      return "_files"
    case "nothing":
      return " "
  }
}

function escapeColon(text: string): string {
  return text.replaceAll(":", "\\:")
}
