import type { Writable } from "node:stream"
import type { Sandbox } from "./find-sandbox.ts"
import type { SandboxBounds } from "./sandbox-arguments.ts"

/**
 * `required`: nothing runs without a sandbox. `preferred`: a process may run without one, and the result says
 * so. `off`: a person switched the sandbox off.
 */
export type SandboxChoice = "required" | "preferred" | "off"

export interface ProcessInput {
  readonly cwd: string
  /** Made by `childEnvironment`, so it contains the marker. */
  readonly environment: Readonly<Record<string, string>>
  readonly bounds: SandboxBounds
  readonly sandbox: SandboxChoice
  /**
   * Lists the definitions that exist. In a sandbox, definitions that the process adds are moved aside when it
   * has ended.
   */
  readonly definitions?: () => Promise<readonly string[]>
  /** In milliseconds. */
  readonly timeout: number
  /** The text that the process reads on its input; left out: nothing. */
  readonly input?: string
  /** Exchanges messages with the process until it ends, in place of one input before and one output after. */
  readonly talk?: Talk
  readonly signal?: AbortSignal
  readonly limits?: Partial<ProcessLimits>
  /** The sandbox to use, or the reason why there is none; default: the answer of `sandboxFor`. */
  readonly availableSandbox?: Sandbox
}

/**
 * Output goes to `heard` and is not kept, apart from the errors. No amount of output ends the process: the
 * listener decides.
 */
export interface Talk {
  /**
   * Called when the process was started: it reads what is written to `input`. Called again if the sandbox has
   * to be made anew.
   */
  onStart(input: Writable): void
  onOutput(chunk: Buffer): void
}

export interface ProcessLimits {
  /** Bytes of output after which the process is killed. */
  readonly output: number
  /** Bytes of output to keep: half of them from the beginning, half from the end. */
  readonly keptOutput: number
  /** Bytes that one file may have. */
  readonly fileSize: number
  /** Processes at a time; without a sandbox the limit holds for root only. */
  readonly processes: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace: number
}

export type ProcessEnding = "exit" | "timeout" | "aborted" | "output-limit" | "process-limit"

/** The whole output, or its beginning and its end where the middle was left out. */
export interface PrintedOutput {
  readonly head: string
  readonly tail: string
  readonly omitted: number
}

export interface ProcessResult extends PrintedOutput {
  readonly ending: ProcessEnding
  /** 128 plus the number of the signal for a process that a signal killed. */
  readonly exitCode: number
  /** The errors that the process printed, where they have their own pipe. */
  readonly errors: PrintedOutput
  /** The reason why there was no sandbox; undefined if there was one. */
  readonly unsandboxed?: string
  /** The new paths of files that the process put in the place of protected links. */
  readonly replaced?: readonly string[]
  /** The new paths of definitions that the process made. */
  readonly refusedDefinitions?: readonly string[]
}
