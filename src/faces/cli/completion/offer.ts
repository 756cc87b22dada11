import type { Argument, Command, Option, ValueOption } from "../command.ts"
import { everywhere } from "../global-options.ts"

/** What a shell offers at one place. */
export type Offer =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "agents" }
  | { readonly type: "files" }
  | { readonly type: "nothing" }

/** Prints the names of all agents, one a line. Where it fails, nothing is offered. */
export const agentNames = "cadre list --names 2>/dev/null"

export function offerOf({ choices, complete }: Argument | ValueOption): Offer {
  if (choices) return { type: "words", words: choices }
  if (complete === "agent") return { type: "agents" }
  return { type: complete === "file" ? "files" : "nothing" }
}

export interface NamedOption {
  readonly name: string
  /** As they are written: `-f`, `--format`. */
  readonly spellings: readonly string[]
  readonly option: Option
}

export function visibleOptions(options: Readonly<Record<string, Option>>): readonly NamedOption[] {
  return Object.entries(options)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, option]) => ({
      name,
      spellings: [...(option.short === undefined ? [] : [`-${option.short}`]), `--${name}`],
      option,
    }))
}

export function optionsOf(command: Command): readonly NamedOption[] {
  return visibleOptions({ ...command.options, ...everywhere })
}

/** For bash and zsh. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
