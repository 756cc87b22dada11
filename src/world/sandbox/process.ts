import type { Writable } from "node:stream"
import type { Sandbox } from "./find-sandbox.ts"
import type { Bounds } from "./sandbox-arguments.ts"

/** `required`: nothing runs without it. `preferred`: it may, and the result says so. `off`: a person said so. */
export type SandboxChoice = "required" | "preferred" | "off"

export interface ProcessInput {
  readonly cwd: string
  /** Made by `childEnvironment`: it has the marker in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly bounds: Bounds
  readonly sandbox: SandboxChoice
  /** Lists the definitions that are there. None may be made in the sandbox, not even where other files are. */
  readonly definitions?: () => Promise<readonly string[]>
  /** Milliseconds. */
  readonly timeout: number
  /** What it reads on its input; left out: nothing. */
  readonly input?: string
  /** It is talked with until it ends, in place of being given its input at once and read afterwards. */
  readonly talk?: Talk
  readonly signal?: AbortSignal
  readonly limits?: Partial<ProcessLimits>
  /** What `sandboxFor` says, unless told otherwise. */
  readonly found?: Sandbox
}

/** Of what it prints nothing is kept but its errors, and no amount of it ends the process: that is for whoever listens. */
export interface Talk {
  /** It was started: what is written here it reads. Called again where the sandbox had to be made anew. */
  began(input: Writable): void
  heard(chunk: Buffer): void
}

export interface ProcessLimits {
  /** Bytes of output after which it is killed. */
  readonly output: number
  /** Bytes of output that are kept, of the beginning and of the end. */
  readonly kept: number
  /** Bytes of one file. */
  readonly fileSize: number
  /** Processes at a time; without a sandbox only for root. */
  readonly processes: number
  /** Milliseconds between being asked to end and being killed. */
  readonly grace: number
}

export type Ending = "exit" | "timeout" | "aborted" | "output-limit" | "process-limit"

/** All of what was printed, or its beginning and its end where something was left out. */
export interface Printed {
  readonly head: string
  readonly tail: string
  readonly omitted: number
}

export interface ProcessResult extends Printed {
  readonly ended: Ending
  /** 128 and the number of the signal for what a signal killed. */
  readonly exitCode: number
  /** What it printed as errors, where that has a pipe of its own. */
  readonly errors: Printed
  /** Why there was no sandbox; undefined when there was one. */
  readonly unsandboxed?: string
  /** Where that lies now which it put in the place of protected links. */
  readonly replaced?: readonly string[]
  /** Where those definitions lie now that it made. */
  readonly refusedDefinitions?: readonly string[]
}
