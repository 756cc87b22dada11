import { type Argument, type Command, takesSeveral } from "../command.ts"
import { globalOptions } from "../global-options.ts"
import {
  agentNames,
  type NamedOption,
  type Offer,
  offerOf,
  optionsOf,
  quote,
  visibleOptions,
} from "./offer.ts"

/** To be sourced, or to be put as `_cadre` into a folder of `fpath`. */
export function zshCompletion(commands: readonly Command[]): string {
  return `#compdef cadre

_cadre_agents() {
  local -a names
  names=(\${(f)"$(${agentNames})"})
  compadd -a names
}

_cadre_commands() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${escapeColon(name)}:${summary}`)}`).join("\n")}
    'help:Show the help of a command'
  )
  _describe command commands
}

_cadre() {
  local curcontext="$curcontext" context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${visibleOptions(globalOptions).map(optionLine).join("")}    '(-): :_cadre_commands' \\
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

function commandCase(command: Command): string {
  const lines = [...optionsOf(command).map(optionLine), ...command.arguments.map(argumentLine)]
  return `    ${quote(command.name)})
      _arguments \\
${lines
  .map((line) => `    ${line}`)
  .join("")
  .replace(/ \\\n$/, "\n")}      ;;
`
}

function optionLine({ spellings, option }: NamedOption): string {
  const isList = option.type === "value" && option.repeatable === true
  const alone = isList ? "'*'" : spellings.length > 1 ? quote(`(${spellings.join(" ")})`) : ""
  const marked = option.type === "flag" ? spellings : spellings.map(withValue)
  const names = marked.length > 1 ? `{${marked.join(",")}}` : marked[0]
  const value = option.type === "flag" ? "" : `:${escapeColon(option.value)}:${action(offerOf(option))}`
  return `    ${alone}${names}${quote(`[${option.doc.replaceAll(/[[\]\\]/g, "\\$&")}]${value}`)} \\\n`
}

/** `-f json` or `-fjson`, `--format json` or `--format=json`. */
function withValue(spelling: string): string {
  return spelling.startsWith("--") ? `${spelling}=` : `${spelling}+`
}

function argumentLine(argument: Argument, index: number): string {
  const place = takesSeveral(argument) ? "*" : index + 1
  return `    ${quote(`${place}:${escapeColon(argument.name.toUpperCase())}:${action(offerOf(argument))}`)} \\\n`
}

function action(offer: Offer): string {
  switch (offer.type) {
    case "words":
      return `(${offer.words.join(" ")})`
    case "agents":
      return "_cadre_agents"
    case "files":
      return "_files"
    case "nothing":
      return " "
  }
}

function escapeColon(text: string): string {
  return text.replaceAll(":", "\\:")
}
