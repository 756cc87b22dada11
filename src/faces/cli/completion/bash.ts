import { type Command, takesSeveral } from "../command.ts"
import { globalOptions } from "../global-options.ts"
import { agentNames, type Offer, offerOf, optionsOf, quote, visibleOptions } from "./offer.ts"

/**
 * Works with bash 3.2, the one of macOS. Words are compared and quoted by the script itself, because `compgen -W`
 * would expand them, and names of agents come from files that nobody may have read yet.
 */
export function bashCompletion(commands: readonly Command[]): string {
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
  while IFS= read -r name; do _cadre_offer "$name"; done < <(${agentNames})
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
${cases([["''", offerWords(visibleOptions(globalOptions).flatMap(({ spellings }) => spellings))], ...commands.map(flagCase)])}
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

function names(commands: readonly Command[]): readonly string[] {
  return commands.map(({ name }) => name)
}

function offerWords(words: readonly string[]): string {
  return `_cadre_offer ${words.map(quote).join(" ")}`
}

/** Where nothing is offered, bash falls back to files: that is what `-o default` is for. */
function action(offer: Offer): string {
  if (offer.type === "words") return offerWords(offer.words)
  return offer.type === "agents" ? "_cadre_offer_agents" : ":"
}

function flagCase(command: Command): Case {
  return [quote(command.name), offerWords(optionsOf(command).flatMap(({ spellings }) => spellings))]
}

function valueOptionCases(command: Command): readonly Case[] {
  return optionCases(command).map(([pattern]) => [pattern, "option=$word"])
}

function optionCases(command: Command): readonly Case[] {
  return optionsOf(command).flatMap(({ spellings, option }): readonly Case[] => {
    if (option.type === "flag") return []
    const pattern = spellings.map((spelling) => quote(`${command.name} ${spelling}`)).join(" | ")
    return [[pattern, action(offerOf(option))]]
  })
}

function argumentCases(command: Command): readonly Case[] {
  return command.arguments.map((argument, index) => [
    takesSeveral(argument) ? `${quote(`${command.name} `)}*` : quote(`${command.name} ${index}`),
    action(offerOf(argument)),
  ])
}
