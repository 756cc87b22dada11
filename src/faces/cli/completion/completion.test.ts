import { expect, test } from "vitest"
import { commands } from "../../../../test/command-line/completion-kit.ts"
import { writeFishCompletion } from "./fish.ts"
import { writeZshCompletion } from "./zsh.ts"

test("the script for zsh", () => {
  expect(writeZshCompletion(commands)).toBe(`#compdef cadre

_cadre_agents() {
  local -a names
  names=(\${(f)"$(cadre list --names 2>/dev/null)"})
  compadd -a names
}

_cadre_runs() {
  local -a ids
  ids=(\${(f)"$(cadre runs --ids 2>/dev/null)"})
  compadd -a ids
}

_cadre_commands() {
  local -a commands
  commands=(
    'check:Check definitions: all of them'
    'convert:Convert a definition'
    'help:Show the help of a command'
  )
  _describe command commands
}

_cadre() {
  local curcontext="$curcontext" context state state_descr line
  typeset -A opt_args
  _arguments -C \\
    '(-h --help)'{-h,--help}'[Show help]' \\
    --no-color'[Print without colours (same as NO_COLOR=1)]' \\
    '(-v --version)'{-v,--version}'[Print the version]' \\
    '(-): :_cadre_commands' \\
    '(-)*:: :->argument'
  [[ $state == argument ]] || return
  case $words[1] in
    help)
      _arguments '1:command:_cadre_commands'
      ;;
    'check')
      _arguments \\
        '(-f --format)'{-f+,--format=}'[How it'\\''s shown]:FORMAT:(text json)' \\
        '*'--only='[Only \\[this\\] one]:AGENT:_cadre_agents' \\
        --fix'[Mend it]' \\
        '(-h --help)'{-h,--help}'[Show help]' \\
        --no-color'[Print without colours (same as NO_COLOR=1)]' \\
        '*:FILE:_files'
      ;;
    'convert')
      _arguments \\
        '(-h --help)'{-h,--help}'[Show help]' \\
        --no-color'[Print without colours (same as NO_COLOR=1)]' \\
        '1:AGENT:_cadre_agents' \\
        '2:TO:(claude codex)' \\
        '3:NOTE: '
      ;;
  esac
}

if [[ $funcstack[1] == _cadre ]]; then _cadre "$@"; else compdef _cadre cadre; fi
`)
})

test("the script for fish", () => {
  expect(writeFishCompletion(commands)).toBe(`complete -c cadre -f
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l help -s h -d 'Show help'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l no-color -d 'Print without colours (same as NO_COLOR=1)'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l version -s v -d 'Print the version'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'check' -d 'Check definitions: all of them'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'convert' -d 'Convert a definition'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'help' -d 'Show the help of a command'
complete -c cadre -n '__fish_seen_subcommand_from help' -a 'check convert' -d 'Command'
complete -c cadre -n '__fish_seen_subcommand_from check' -l format -s f -x -a 'text json' -d 'How it\\'s shown'
complete -c cadre -n '__fish_seen_subcommand_from check' -l only -x -a '(cadre list --names 2>/dev/null)' -d 'Only [this] one'
complete -c cadre -n '__fish_seen_subcommand_from check' -l fix -d 'Mend it'
complete -c cadre -n '__fish_seen_subcommand_from check' -l help -s h -d 'Show help'
complete -c cadre -n '__fish_seen_subcommand_from check' -l no-color -d 'Print without colours (same as NO_COLOR=1)'
complete -c cadre -n '__fish_seen_subcommand_from check' -F
complete -c cadre -n '__fish_seen_subcommand_from convert' -l help -s h -d 'Show help'
complete -c cadre -n '__fish_seen_subcommand_from convert' -l no-color -d 'Print without colours (same as NO_COLOR=1)'
complete -c cadre -n '__fish_seen_subcommand_from convert' -a '(cadre list --names 2>/dev/null)' -d 'AGENT'
complete -c cadre -n '__fish_seen_subcommand_from convert' -a 'claude codex' -d 'TO'
`)
})
