import type { Json, JsonMap } from "../../ground/message.ts"
import type { CallResult, HookSpawn, RunStep, Verdict } from "../log/event.ts"

/** A call that has run. */
export interface EndedCall extends HookedCall {
  readonly status: CallResult["status"]
  readonly result: string
}

/** What a hook may do besides judging. */
export interface HookActions {
  /** Runs a command line with the tool that runs commands, if the rules do not deny it. Recorded, and never run again after a crash. */
  command(line: string, options: CommandOptions): Promise<CommandEnd>
  /** The text of a skill that the run's agent could be given. */
  skill(name: string): Promise<{ readonly text: string } | { readonly problem: string }>
}

export interface CommandOptions {
  /** What it reads on its input. */
  readonly input: string
  /** Milliseconds. Default: one minute. */
  readonly timeout?: number
}

export type CommandEnd = { readonly exitCode: number; readonly text: string } | { readonly problem: string }

/** A verdict, and what else a hook wants. Nothing but the block counts of one that blocks. */
export type HookVerdict = Verdict & {
  /** What these are from now on. */
  readonly variables?: JsonMap
  /** What the model is told with its next turn. */
  readonly context?: readonly string[]
  readonly spawns?: readonly Omit<HookSpawn, "hook">[]
  /** Where the run is in its workflow from now on. */
  readonly step?: RunStep
  /** What it could not do and passes over. */
  readonly problems?: readonly string[]
}

/** Whom a hook is asked for. */
export interface HookedRun {
  readonly run: string
  readonly agent: string
  readonly depth: number
  /** The calling run; absent for a root. */
  readonly parent?: string
  readonly task: string
  readonly turn: number
  readonly cwd: string
  /** As earlier hooks have left them. */
  readonly variables: JsonMap
  /** Names of those that no hook can set; absent where there are none. */
  readonly locked?: readonly string[]
  /** Where it is in its workflow; absent without one. */
  readonly step?: RunStep
}

export interface HookedCall extends HookedRun {
  readonly call: string
  readonly tool: string
  /** As the model has written it. */
  readonly input: { readonly [name: string]: Json }
  /** Other names that arguments of this tool may have, each with the tool's own. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Of a call that hands work on: the agent that would get it, by its own name. */
  readonly subagent?: string
}
