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
  /** Made by `buildChildEnvironment`. It contains the variable by which all processes of a command are found. */
  readonly environment: Readonly<Record<string, string>>
  readonly bounds: SandboxBounds
  readonly sandbox: SandboxChoice
  /**
   * Lists the definitions that exist. It is called before and after a sandboxed process. Definitions that the
   * process added are moved aside.
   */
  readonly definitions?: () => Promise<readonly string[]>
  /** In milliseconds. */
  readonly timeout: number
  /** The text on the input of the process. Absent: the input is empty. */
  readonly input?: string
  /** Writes to the process and reads its output while it runs. It replaces `input`. */
  readonly talk?: Talk
  readonly signal?: AbortSignal
  readonly limits?: Partial<ProcessLimits>
  /** The sandbox to use, or the reason why there is none. Default: the result of `findFolderSandbox`. */
  readonly availableSandbox?: Sandbox
}

/**
 * Standard output goes to `onOutput` and is not kept. Standard error is kept as usual. `limits.output` does not
 * apply.
 */
export interface Talk {
  /**
   * Called when the process has started. Write the messages for the process to `input`. If the sandbox must be
   * set up again, a new process starts, and this is called again.
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
  /** The most processes at a time. Without a sandbox, the limit applies only if cadre runs as the Unix user root. */
  readonly processes: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace: number
}

export type ProcessEnding = "exit" | "timeout" | "aborted" | "output-limit" | "process-limit"

/** The whole output, or its beginning and its end. `omitted` counts the bytes between them that were dropped. */
export interface PrintedOutput {
  readonly head: string
  readonly tail: string
  readonly omitted: number
}

export interface ProcessResult extends PrintedOutput {
  readonly ending: ProcessEnding
  /** 128 plus the number of the signal for a process that a signal killed. */
  readonly exitCode: number
  /** Standard error, if it has a pipe of its own. Otherwise empty. */
  readonly errors: PrintedOutput
  /** The reason why there was no sandbox; undefined if there was one. */
  readonly unsandboxed?: string
  /** The process replaced protected links by files. These files were moved aside, to these paths. */
  readonly replaced?: readonly string[]
  /** The process made definitions. They were moved aside, to these paths. */
  readonly refusedDefinitions?: readonly string[]
}
