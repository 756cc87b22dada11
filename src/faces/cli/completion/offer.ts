import type { CliCommand, CommandArgument, CommandOption, ValueOption } from "../command.ts"
import { commonOptions } from "../global-options.ts"

/** The words that a shell offers at one place. */
export type CompletionOffer =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "agents" }
  | { readonly type: "runs" }
  | { readonly type: "files" }
  | { readonly type: "nothing" }

/** A command that prints the names of all agents, one per line. If the command fails, the shell offers nothing. */
export const agentNamesCommand = "cadre list --names 2>/dev/null"

/** A command that prints the ids of the newest runs, one per line. */
export const runIdsCommand = "cadre runs --ids 2>/dev/null"

export function getCompletionOffer({ choices, complete }: CommandArgument | ValueOption): CompletionOffer {
  if (choices) return { type: "words", words: choices }
  if (complete === "agent") return { type: "agents" }
  if (complete === "run") return { type: "runs" }
  return { type: complete === "file" ? "files" : "nothing" }
}

export interface NamedOption {
  readonly name: string
  /** The short and the long form, with dashes: `-f`, `--format`. */
  readonly spellings: readonly string[]
  readonly option: CommandOption
}

export function listVisibleOptions(options: Readonly<Record<string, CommandOption>>): readonly NamedOption[] {
  return Object.entries(options)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, option]) => ({
      name,
      spellings: [...(option.short === undefined ? [] : [`-${option.short}`]), `--${name}`],
      option,
    }))
}

export function listCommandOptions(command: CliCommand): readonly NamedOption[] {
  return listVisibleOptions({ ...command.options, ...commonOptions })
}

/** Quotes a word for bash and zsh. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
