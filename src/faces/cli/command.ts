import type { Colour } from "../../ground/diagnostics/paint.ts"
import type { ExitCode, Signal } from "./exit-code.ts"

/** One command: everything that parsing, help and completion need, and what it does. */
export interface Command {
  readonly name: string
  /** One line without a full stop, the same as in the list of commands. */
  readonly summary: string
  /** Written out only where it does not follow from arguments and options. */
  readonly usage?: string
  readonly arguments: readonly Argument[]
  /** By name, without the dashes. `help` and `no-color` are known everywhere. */
  readonly options: Readonly<Record<string, Option>>
  readonly examples: readonly Example[]
  run(context: CommandContext): Promise<ExitCode>
}

/** Gives `run` the types of its own arguments and options. */
export function defineCommand<
  const Arguments extends readonly Argument[],
  const Options extends Readonly<Record<string, Option>>,
>(command: CommandOf<Arguments, Options>): Command {
  return command as unknown as Command
}

export interface Argument {
  readonly name: string
  readonly doc: string
  /** How many words it takes: one unless told. What takes several comes last. */
  readonly count?: "one" | "optional" | "any" | "some"
  readonly choices?: readonly string[]
  readonly complete?: Completion
}

export function takesSeveral({ count }: Argument): boolean {
  return count === "any" || count === "some"
}

export type Option = Flag | ValueOption

export interface Flag {
  readonly type: "flag"
  readonly short?: string
  readonly doc: string
  /** Neither in the help nor in completions. */
  readonly hidden?: true
}

export interface ValueOption {
  readonly type: "value"
  /** What stands for the value in the help: `FORMAT`. */
  readonly value: string
  readonly short?: string
  readonly doc: string
  readonly choices?: readonly string[]
  readonly complete?: Completion
  /** May come several times: the value is a list. */
  readonly repeatable?: true
  readonly hidden?: true
}

/** What a shell offers where there are no choices; nothing unless told. */
export type Completion = "agent" | "file"

export interface Example {
  readonly line: string
  /** What it shows. */
  readonly doc: string
}

/** What a command has around it, so that tests can give it something else. */
export interface Surroundings {
  readonly stdout: Writer
  readonly stderr: Writer
  /** The working directory. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether stdout is one. */
  readonly isTerminal: boolean
  /** How wide it is, where it is one. */
  readonly columns?: number
  /** Left out: there is nothing to read. */
  readonly stdin?: Input
  /** stderr, where it is a terminal that can be drawn on. */
  readonly screen?: Screen
  /** Tells of signals, and of a reader that has gone, until the returned function is called. */
  onSignal?(listener: (signal: Signal) => void): () => void
  /** The time, in milliseconds. Left out: the clock of the machine. */
  now?(): number
}

export interface Writer {
  write(text: string): unknown
}

export interface Input {
  readonly isTerminal: boolean
  /** Everything, until its end. */
  readAll(): Promise<string>
  /** Every line that is typed from now on; undefined at the end. */
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

export interface CommandContext<Arguments = ArgumentValues, Options = OptionValues> extends Surroundings {
  readonly arguments: Arguments
  readonly options: Options
  readonly colour: Colour
}

export type ArgumentValues = Readonly<Record<string, string | readonly string[] | undefined>>
export type OptionValues = Readonly<Record<string, string | readonly string[] | true | undefined>>

interface CommandOf<Arguments extends readonly Argument[], Options extends Readonly<Record<string, Option>>>
  extends Omit<Command, "arguments" | "options" | "run"> {
  readonly arguments: Arguments
  readonly options: Options
  run(context: CommandContext<ArgumentsOf<Arguments>, OptionsOf<Options>>): Promise<ExitCode>
}

type ArgumentsOf<Arguments extends readonly Argument[]> = {
  readonly [One in Arguments[number] as One["name"]]: One extends { count: "any" | "some" }
    ? readonly Word<One>[]
    : One extends { count: "optional" }
      ? Word<One> | undefined
      : Word<One>
}

type OptionsOf<Options extends Readonly<Record<string, Option>>> = {
  readonly [Name in keyof Options]: Options[Name] extends { type: "flag" }
    ? true | undefined
    : Options[Name] extends { repeatable: true }
      ? readonly Word<Options[Name]>[] | undefined
      : Word<Options[Name]> | undefined
}

type Word<One> = One extends { choices: readonly (infer Choice extends string)[] } ? Choice : string
