import type { Colour } from "../../ground/diagnostics/paint.ts"
import type { ExitCode, Signal } from "./exit-code.ts"

/** One command: its function, and everything that parsing, help and completion need. */
export interface CliCommand {
  readonly name: string
  /** One line without a full stop, the same as in the list of commands. */
  readonly summary: string
  /** The usage line. Only for a command whose usage does not follow from its arguments and options. */
  readonly usage?: string
  readonly arguments: readonly CommandArgument[]
  /** By name, without the dashes. Every command also takes `help` and `no-color`. */
  readonly options: Readonly<Record<string, CommandOption>>
  readonly examples: readonly CommandExample[]
  run(context: CommandContext): Promise<ExitCode>
}

/** Gives `run` the types of its own arguments and options. */
export function defineCommand<
  const Arguments extends readonly CommandArgument[],
  const Options extends Readonly<Record<string, CommandOption>>,
>(command: CommandOf<Arguments, Options>): CliCommand {
  return command as unknown as CliCommand
}

export interface CommandArgument {
  readonly name: string
  readonly doc: string
  /** The number of words that the argument takes. Default: one. An argument that takes several words comes last. */
  readonly count?: "one" | "optional" | "any" | "some"
  readonly choices?: readonly string[]
  readonly complete?: Completion
}

export function takesSeveral({ count }: CommandArgument): boolean {
  return count === "any" || count === "some"
}

export type CommandOption = Flag | ValueOption

export interface Flag {
  readonly type: "flag"
  readonly short?: string
  readonly doc: string
  /** The option is left out of the help and of completions. */
  readonly hidden?: true
}

export interface ValueOption {
  readonly type: "value"
  /** The placeholder for the value in the help: `FORMAT`. */
  readonly value: string
  readonly short?: string
  readonly doc: string
  readonly choices?: readonly string[]
  readonly complete?: Completion
  /** The option may be given several times; its value is a list. */
  readonly repeatable?: true
  readonly hidden?: true
}

/** The kind of words that a shell completes with, for a value without fixed choices. Default: no completion. */
export type Completion = "agent" | "file" | "run"

export interface CommandExample {
  readonly line: string
  /** A line that says what the example does. */
  readonly doc: string
}

/** The process around a command: streams, folder, environment, clock. Tests pass their own. */
export interface ProcessContext {
  readonly stdout: Writer
  readonly stderr: Writer
  /** The working directory. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True if stdout is a terminal. */
  readonly isTerminal: boolean
  /** The width of stdout, if stdout is a terminal. */
  readonly columns?: number
  /** Left out if there is no input to read. */
  readonly stdin?: Input
  /** The terminal behind stderr. Left out if stderr is no terminal, or one that cannot be drawn on. */
  readonly screen?: Screen
  /** Reports signals, and a closed stdout as SIGPIPE, until the returned function is called. */
  onSignal?(listener: (signal: Signal) => void): () => void
  /** The time in milliseconds. Default: the machine's clock. */
  now?(): number
  /** The words that start this program again. Left out in a process that is another program. */
  readonly program?: readonly string[]
  /** Opens a web address in the user's browser. Returns false if there is no program for that. */
  openAddress?(address: string): boolean
}

export interface Writer {
  write(text: string): unknown
}

export interface Input {
  readonly isTerminal: boolean
  /** Reads the whole input, to its end. */
  readAll(): Promise<string>
  /** Calls the listener for every line that is typed from now on, and with undefined at the end of the input. */
  onLine(listener: (line: string | undefined) => void): () => void
}

export interface Screen {
  size(): Size
  onResize(listener: () => void): () => void
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface CommandContext<Arguments = ArgumentValues, Options = OptionValues> extends ProcessContext {
  readonly arguments: Arguments
  readonly options: Options
  readonly colour: Colour
}

export type ArgumentValues = Readonly<Record<string, string | readonly string[] | undefined>>
export type OptionValues = Readonly<Record<string, string | readonly string[] | true | undefined>>

interface CommandOf<
  Arguments extends readonly CommandArgument[],
  Options extends Readonly<Record<string, CommandOption>>,
> extends Omit<CliCommand, "arguments" | "options" | "run"> {
  readonly arguments: Arguments
  readonly options: Options
  run(context: CommandContext<ArgumentsOf<Arguments>, OptionsOf<Options>>): Promise<ExitCode>
}

type ArgumentsOf<Arguments extends readonly CommandArgument[]> = {
  readonly [One in Arguments[number] as One["name"]]: One extends { count: "any" | "some" }
    ? readonly Word<One>[]
    : One extends { count: "optional" }
      ? Word<One> | undefined
      : Word<One>
}

type OptionsOf<Options extends Readonly<Record<string, CommandOption>>> = {
  readonly [Name in keyof Options]: Options[Name] extends { type: "flag" }
    ? true | undefined
    : Options[Name] extends { repeatable: true }
      ? readonly Word<Options[Name]>[] | undefined
      : Word<Options[Name]> | undefined
}

type Word<One> = One extends { choices: readonly (infer Choice extends string)[] } ? Choice : string
