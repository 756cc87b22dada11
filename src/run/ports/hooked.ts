import type { Json, JsonMap } from "../../ground/message.ts"
import type { CallResult, CallVerdict, HookSpawn, RunStep } from "../log/event.ts"

/** A call that has run, with its result. */
export interface FinishedCall extends HookCall {
  /** The way the call ended. `unknown`: it had started, and its end was not recorded. */
  readonly status: CallResult["status"]
  /** The text of the result, as the model will read it. */
  readonly result: string
}

/** The actions that a hook has besides judging. */
export interface HookActions {
  /**
   * Runs a command line with the tool that runs commands, if the rules do not deny it. The command is
   * recorded, and never repeated after a crash.
   */
  command(line: string, options: CommandOptions): Promise<CommandOutcome>
  /** The text of a skill that the run's agent may have. */
  skill(name: string): Promise<{ readonly text: string } | { readonly problem: string }>
}

/** Options of a command that a hook runs. */
export interface CommandOptions {
  /** The text that the command reads from its standard input. */
  readonly input: string
  /** Milliseconds. Default: one minute. */
  readonly timeout?: number
}

/** The exit code and output of a command, or the reason why it did not run. */
export type CommandOutcome =
  | { readonly exitCode: number; readonly text: string }
  | { readonly problem: string }

/** A verdict with the other effects of a hook. When the hook blocks, only the block counts. */
export type HookVerdict = CallVerdict & {
  /** The new values of variables. */
  readonly variables?: JsonMap
  /** Texts that the model gets with its next turn. */
  readonly context?: readonly string[]
  readonly spawns?: readonly Omit<HookSpawn, "hook">[]
  /** The new step of the run in its workflow. */
  readonly step?: RunStep
  /** Problems that kept the hook from doing something; they are reported and skipped. */
  readonly problems?: readonly string[]
}

/** The run that a hook is asked about. */
export interface HookRun {
  /** The id of the run. */
  readonly run: string
  /** The name of its agent. */
  readonly agent: string
  /** The number of runs above it: 0 for a root. */
  readonly depth: number
  /** The calling run; absent for a root. */
  readonly parent?: string
  /** The task that the run was given. */
  readonly task: string
  /** The number of the current turn. 0: the model was not asked yet. */
  readonly turn: number
  /** The absolute path of the folder that the run works in. */
  readonly cwd: string
  /** The values after earlier hooks. */
  readonly variables: JsonMap
  /** Names of the variables that no hook can set; absent where there are none. */
  readonly locked?: readonly string[]
  /** The run's step in its workflow; absent without a workflow. */
  readonly step?: RunStep
}

/** A call that a hook judges, with the run that makes it. */
export interface HookCall extends HookRun {
  /** The id of the call in its run. */
  readonly call: string
  /** The name of the tool that would run. */
  readonly tool: string
  /** The arguments as the model wrote them. */
  readonly input: { readonly [name: string]: Json }
  /** Other names that arguments of this tool may have, each with the tool's own name. */
  readonly aliases?: Readonly<Record<string, string>>
  /** For a call that hands work on: the name of the agent that would get it. */
  readonly subagent?: string
}
