import { execFileSync, spawnSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { type Command, defineCommand } from "../command.ts"
import { bashCompletion } from "./bash.ts"
import { fishCompletion } from "./fish.ts"
import { zshCompletion } from "./zsh.ts"

const commands: readonly Command[] = [
  defineCommand({
    name: "check",
    summary: "Check definitions: all of them",
    arguments: [{ name: "file", doc: "What to check", count: "any", complete: "file" }],
    options: {
      format: {
        type: "value",
        value: "FORMAT",
        short: "f",
        doc: "How it's shown",
        choices: ["text", "json"],
      },
      only: { type: "value", value: "AGENT", doc: "Only [this] one", complete: "agent", repeatable: true },
      fix: { type: "flag", doc: "Mend it" },
      secret: { type: "flag", doc: "Hidden", hidden: true },
    },
    examples: [],
    run: async () => 0,
  }),
  defineCommand({
    name: "convert",
    summary: "Convert a definition",
    arguments: [
      { name: "agent", doc: "Which one", complete: "agent" },
      { name: "to", doc: "The format", choices: ["claude", "codex"] },
      { name: "note", doc: "Any text", count: "optional" },
    ],
    options: {},
    examples: [],
    run: async () => 0,
  }),
]

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0

for (const shell of ["bash", "zsh", "fish"])
  if (!isThere(shell)) console.warn(`SKIPPED: ${shell} is not installed, so its completion is not tested`)

describe.skipIf(!isThere("bash"))("bash offers", () => {
  const agents = ["reviewer", "runner", "two words", "$(touch evil)", "*"]
  /** The last word is the one that is being written. */
  const offers = (
    words: readonly string[],
    list = `printf '%s\\n' ${agents.map((name) => `'${name}'`).join(" ")}`,
  ) => {
    const program = `
cadre() { [[ "$*" == 'list --names' ]] && { ${list}; }; }
source /dev/stdin <<'SCRIPT'
${bashCompletion(commands)}
SCRIPT
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cadre
for reply in "\${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done`
    const output = execFileSync("bash", ["--norc", "-c", program, "bash", ...words], { encoding: "utf8" })
    return output.split("\n").slice(0, -1)
  }

  test.each<[string, readonly string[], readonly string[]]>([
    ["commands", ["cadre", ""], ["check", "convert", "help"]],
    ["commands by their beginning", ["cadre", "co"], ["convert"]],
    ["commands after a flag", ["cadre", "--no-color", "ch"], ["check"]],
    ["commands to be explained", ["cadre", "help", ""], ["check", "convert"]],
    ["options before a command", ["cadre", "--"], ["--help", "--no-color", "--version"]],
    ["options of a command", ["cadre", "check", "--f"], ["--format", "--fix"]],
    ["nothing hidden", ["cadre", "check", "--s"], []],
    ["values", ["cadre", "check", "--format", ""], ["text", "json"]],
    ["values of a short option", ["cadre", "check", "-f", "j"], ["json"]],
    ["values after =", ["cadre", "check", "--format", "=", "j"], ["json"]],
    ["values right after =", ["cadre", "check", "--format", "="], ["text", "json"]],
    ["nothing for files, which bash knows itself", ["cadre", "check", "--format", "json", ""], []],
    ["choices of the second argument", ["cadre", "convert", "reviewer", ""], ["claude", "codex"]],
    ["nothing after the last argument", ["cadre", "convert", "a", "claude", "x", ""], []],
    ["agents", ["cadre", "convert", "r"], ["reviewer", "runner"]],
    ["agents for an option", ["cadre", "check", "--only", "rev"], ["reviewer"]],
    ["names that the shell would obey, quoted", ["cadre", "convert", "$"], ["\\$\\(touch\\ evil\\)"]],
    ["nothing for an unknown command", ["cadre", "nope", ""], []],
  ])("%s", (_, words, expected) => {
    expect(offers(words)).toEqual(expected)
  })

  test("no agents, silently, where nobody can list them", () => {
    expect(offers(["cadre", "convert", ""], "echo 'Unknown command' >&2; return 2")).toEqual([])
  })
})

describe.skipIf(!isThere("fish"))("fish offers", () => {
  test.each<[string, readonly string[]]>([
    ["cadre co", ["convert"]],
    ["cadre check --f", ["--fix", "--format"]],
    ["cadre check --format ", ["json", "text"]],
    ["cadre convert rev", ["reviewer"]],
  ])("for %j", (line, expected) => {
    const program = `function cadre; echo reviewer; end
${fishCompletion(commands)}
complete -C ${JSON.stringify(line)}`
    const output = execFileSync("fish", ["--no-config", "-c", program], { encoding: "utf8" })
    expect(
      output
        .split("\n")
        .flatMap((row) => row.split("\t")[0] || [])
        .sort(),
    ).toEqual(expected)
  })
})

test.skipIf(!isThere("zsh"))("zsh can read its script", () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], { input: zshCompletion(commands), encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})

test("the script for zsh", () => {
  expect(zshCompletion(commands)).toBe(`#compdef cadre

_cadre_agents() {
  local -a names
  names=(\${(f)"$(cadre list --names 2>/dev/null)"})
  compadd -a names
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
    --no-color'[Print without colours, as NO_COLOR=1 does]' \\
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
        --no-color'[Print without colours, as NO_COLOR=1 does]' \\
        '*:FILE:_files'
      ;;
    'convert')
      _arguments \\
        '(-h --help)'{-h,--help}'[Show help]' \\
        --no-color'[Print without colours, as NO_COLOR=1 does]' \\
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
  expect(fishCompletion(commands)).toBe(`complete -c cadre -f
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l help -s h -d 'Show help'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l no-color -d 'Print without colours, as NO_COLOR=1 does'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -l version -s v -d 'Print the version'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'check' -d 'Check definitions: all of them'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'convert' -d 'Convert a definition'
complete -c cadre -n 'not __fish_seen_subcommand_from check convert help' -a 'help' -d 'Show the help of a command'
complete -c cadre -n '__fish_seen_subcommand_from help' -a 'check convert' -d 'Command'
complete -c cadre -n '__fish_seen_subcommand_from check' -l format -s f -x -a 'text json' -d 'How it\\'s shown'
complete -c cadre -n '__fish_seen_subcommand_from check' -l only -x -a '(cadre list --names 2>/dev/null)' -d 'Only [this] one'
complete -c cadre -n '__fish_seen_subcommand_from check' -l fix -d 'Mend it'
complete -c cadre -n '__fish_seen_subcommand_from check' -l help -s h -d 'Show help'
complete -c cadre -n '__fish_seen_subcommand_from check' -l no-color -d 'Print without colours, as NO_COLOR=1 does'
complete -c cadre -n '__fish_seen_subcommand_from check' -F
complete -c cadre -n '__fish_seen_subcommand_from convert' -l help -s h -d 'Show help'
complete -c cadre -n '__fish_seen_subcommand_from convert' -l no-color -d 'Print without colours, as NO_COLOR=1 does'
complete -c cadre -n '__fish_seen_subcommand_from convert' -a '(cadre list --names 2>/dev/null)' -d 'AGENT'
complete -c cadre -n '__fish_seen_subcommand_from convert' -a 'claude codex' -d 'TO'
`)
})
