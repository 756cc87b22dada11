import { type Sandbox, sandboxFor } from "./find-sandbox.ts"
import { runBoxed } from "./run-boxed.ts"
import { Running } from "./running.ts"
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
  readonly signal?: AbortSignal
  readonly limits?: Partial<ProcessLimits>
  /** What `sandboxFor` says, unless told otherwise. */
  readonly found?: Sandbox
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

const usualLimits: ProcessLimits = {
  output: 64 * 2 ** 20,
  kept: 4 * 2 ** 20,
  fileSize: 2 ** 30,
  processes: 512,
  grace: 250,
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

/** What `ulimit` is to hold it to. */
export interface Bounded {
  readonly fileSize: number
  readonly processes?: number
}

/** Runs what the words say to its end, and leaves nothing of it behind. Or says why it does not. */
export async function runProcess(
  input: ProcessInput,
  wordsFor: (bounded: Bounded) => readonly string[],
): Promise<ProcessResult | { readonly refused: string }> {
  const limits = { ...usualLimits, ...input.limits }
  const sandbox =
    input.sandbox === "off"
      ? { problem: "it was switched off" }
      : (input.found ?? (await sandboxFor(input.bounds.root)))
  if ("problem" in sandbox && input.sandbox === "required")
    return {
      refused: `Not run: a sandbox is required, but ${sandbox.problem}. Or let the configuration say that commands may run without one.`,
    }
  if (input.signal?.aborted) return { refused: "Not run: the run is stopping." }
  const { fileSize, processes } = limits
  if ("path" in sandbox) return runBoxed(sandbox.path, input, limits, wordsFor({ fileSize, processes }))
  const running = new Running(input, limits, { words: wordsFor({ fileSize }) })
  const { failed: _, ...result } = await running.ended
  return { ...result, unsandboxed: sandbox.problem }
}

/** Text that sets them, for a shell that counts files in blocks of so many bytes. */
export function limitsText({ fileSize, processes }: Bounded, block: 512 | 1024): string {
  const set = (limit: string) => `ulimit ${limit} 2>/dev/null`
  return [
    set("-c 0"),
    set(`-f ${Math.ceil(fileSize / block)}`),
    // What bash calls `-u` is `-p` elsewhere.
    ...(processes === undefined ? [] : [`${set(`-u ${processes}`)} || ${set(`-p ${processes}`)}`]),
    "",
  ].join("; ")
}
