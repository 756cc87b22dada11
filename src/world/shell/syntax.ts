/** The supported syntax of a command line. Other constructs of bash are `Unreadable`. */

/** The language of a shell. Constructs that only bash has are refused for other shells. */
export type ShellDialect = "bash" | "posix"

export type WordPart =
  | { readonly type: "text"; readonly text: string; readonly quoted?: true }
  | { readonly type: "variable"; readonly name: string; readonly quoted?: true }
  /** `$?` and the like: digits whose value is unknown. */
  | { readonly type: "number"; readonly source: string }
  /**
   * A value that is only known when the command runs, with the commands that produce it where they could be
   * parsed.
   */
  | { readonly type: "unknown"; readonly reason: string; readonly body?: CommandList }

export interface Word {
  readonly parts: readonly WordPart[]
  readonly source: string
}

export interface Assignment {
  readonly name: string
  readonly value: Word
  readonly appends?: true
}

export interface Redirect {
  readonly operator: "<" | ">" | ">>" | ">|" | "<>" | "<&" | ">&" | "&>" | "&>>" | "<<" | "<<<"
  readonly target: Word
}

export type ShellCommand =
  | {
      readonly type: "simple"
      readonly assignments: readonly Assignment[]
      readonly words: readonly Word[]
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "group" | "subshell"
      readonly body: CommandList
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "if"
      /** Conditions with their bodies; the branch of `else` has no condition. */
      readonly branches: readonly { readonly condition?: CommandList; readonly body: CommandList }[]
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "while"
      readonly condition: CommandList
      readonly body: CommandList
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "for"
      readonly name: string
      readonly words: readonly Word[]
      readonly body: CommandList
      readonly redirects: readonly Redirect[]
    }

export interface ShellPipeline {
  readonly negated?: true
  readonly commands: readonly ShellCommand[]
}

/** Pipelines joined by `&&` and `||`. */
export interface Chain {
  readonly first: ShellPipeline
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: ShellPipeline }[]
  readonly background?: true
}

export type CommandList = readonly Chain[]

/** A command line that is not understood in full. */
export class Unreadable extends Error {}

export const reservedWords: ReadonlySet<string> = new Set([
  ..."if then else elif fi do done case esac while until for in function select time coproc".split(" "),
  ..."{ } ! [[ ]]".split(" "),
])
