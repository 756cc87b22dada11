/** What a command line is made of, as far as it is read here. Whatever bash knows beyond it is `Unreadable`. */

/** Of a shell whose words we read: what only bash knows is not read for others. */
export type Dialect = "bash" | "posix"

export type Part =
  | { readonly type: "text"; readonly text: string; readonly quoted?: true }
  | { readonly type: "variable"; readonly name: string; readonly quoted?: true }
  /** `$?` and the like: digits, whatever they are. */
  | { readonly type: "number"; readonly source: string }
  /** A value that only running tells; the commands that it runs, where they could be read. */
  | { readonly type: "unknown"; readonly reason: string; readonly body?: List }

export interface Word {
  readonly parts: readonly Part[]
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

export type Command =
  | {
      readonly type: "simple"
      readonly assignments: readonly Assignment[]
      readonly words: readonly Word[]
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "group" | "subshell"
      readonly body: List
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "if"
      /** Condition and body; the last one, of `else`, has no condition. */
      readonly branches: readonly { readonly condition?: List; readonly body: List }[]
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "while"
      readonly condition: List
      readonly body: List
      readonly redirects: readonly Redirect[]
    }
  | {
      readonly type: "for"
      readonly name: string
      readonly words: readonly Word[]
      readonly body: List
      readonly redirects: readonly Redirect[]
    }

export interface Pipeline {
  readonly negated?: true
  readonly commands: readonly Command[]
}

/** Pipelines joined by `&&` and `||`. */
export interface Chain {
  readonly first: Pipeline
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[]
  readonly background?: true
}

export type List = readonly Chain[]

/** Not a command line that is understood in full. */
export class Unreadable extends Error {}

export const reservedWords: ReadonlySet<string> = new Set([
  ..."if then else elif fi do done case esac while until for in function select time coproc".split(" "),
  ..."{ } ! [[ ]]".split(" "),
])
