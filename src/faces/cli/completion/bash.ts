import { type CliCommand, takesSeveral } from "../command.ts"
import { globalOptions } from "../global-options.ts"
import {
  agentNamesCommand,
  type CompletionOffer,
  getCompletionOffer,
  listCommandOptions,
  listVisibleOptions,
  quoteForShell,
  runIdsCommand,
} from "./offer.ts"

/**
 * Works with bash 3.2, which macOS ships. The script compares and quotes words itself, because `compgen -W` would
 * expand them, and an agent's name comes from a file that may not be trusted.
 */
export function writeBashCompletion(commands: readonly CliCommand[]): string {
  return `_cadre_offer() {
  local word quoted
  for word in "$@"; do
    if [[ $word == "$current"* ]]; then
      printf -v quoted %q "$word"
      COMPREPLY+=("$quoted")
    fi
  done
}

_cadre_offer_agents() {
  local name
  while IFS= read -r name; do _cadre_offer "$name"; done < <(${agentNamesCommand})
}

_cadre_offer_runs() {
  local id
  while IFS= read -r id; do _cadre_offer "$id"; done < <(${runIdsCommand})
}

_cadre() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' option='' position=0 index word
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then
      continue
    elif [[ -n $option ]]; then
      option=''
    elif [[ $word == -* ]]; then
      case "$command $word" in
${cases(commands.flatMap(valueOptionCases))}
      esac
    elif [[ -z $command ]]; then
      command=$word
    else
      position=$((position + 1))
    fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ -n $option ]]; then
    case "$command $option" in
${cases(commands.flatMap(optionCases))}
    esac
  elif [[ $current == -* ]]; then
    case $command in
${cases([["''", offerWords(listVisibleOptions(globalOptions).flatMap(({ spellings }) => spellings))], ...commands.map(flagCase)])}
    esac
  else
    case "$command $position" in
${cases([
  ["' 0'", offerWords([...names(commands), "help"])],
  ["'help 0'", offerWords(names(commands))],
  ...commands.flatMap(argumentCases),
])}
    esac
  fi
}

complete -o default -F _cadre cadre
`
}

type Case = readonly [pattern: string, action: string]

function cases(list: readonly Case[]): string {
  return list.map(([pattern, action]) => `      ${pattern}) ${action} ;;`).join("\n")
}

function names(commands: readonly CliCommand[]): readonly string[] {
  return commands.map(({ name }) => name)
}

function offerWords(words: readonly string[]): string {
  return `_cadre_offer ${words.map(quoteForShell).join(" ")}`
}

/** If the script offers nothing, bash completes files, because of `-o default`. */
function action(offer: CompletionOffer): string {
  if (offer.type === "words") return offerWords(offer.words)
  if (offer.type === "runs") return "_cadre_offer_runs"
  return offer.type === "agents" ? "_cadre_offer_agents" : ":"
}

function flagCase(command: CliCommand): Case {
  return [
    quoteForShell(command.name),
    offerWords(listCommandOptions(command).flatMap(({ spellings }) => spellings)),
  ]
}

function valueOptionCases(command: CliCommand): readonly Case[] {
  return optionCases(command).map(([pattern]) => [pattern, "option=$word"])
}

function optionCases(command: CliCommand): readonly Case[] {
  return listCommandOptions(command).flatMap(({ spellings, option }): readonly Case[] => {
    if (option.type === "flag") return []
    const pattern = spellings.map((spelling) => quoteForShell(`${command.name} ${spelling}`)).join(" | ")
    return [[pattern, action(getCompletionOffer(option))]]
  })
}

function argumentCases(command: CliCommand): readonly Case[] {
  return command.arguments.map((argument, index) => [
    takesSeveral(argument)
      ? `${quoteForShell(`${command.name} `)}*`
      : quoteForShell(`${command.name} ${index}`),
    action(getCompletionOffer(argument)),
  ])
}
