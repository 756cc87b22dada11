import fs from "node:fs"
import { type Sandbox, sandboxFor } from "./find-sandbox.ts"
import { guardMissing } from "./guards.ts"
import { keepLinks } from "./links.ts"
import { Running } from "./running.ts"
import type { Bounds } from "./sandbox-arguments.ts"

/** `required`: no command runs without it. `preferred`: it may, and the result says so. `off`: a person said so. */
export type SandboxChoice = "required" | "preferred" | "off"

export interface CommandInput {
  readonly command: string
  readonly cwd: string
  /** Made by `childEnvironment`: it has the marker in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly bounds: Bounds
  readonly sandbox: SandboxChoice
  /** Milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal
  readonly limits?: Partial<CommandLimits>
  /** What `sandboxFor` says, unless told otherwise. */
  readonly found?: Sandbox
}

export interface CommandLimits {
  /** Bytes of output after which the command is killed. */
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

const usualLimits: CommandLimits = {
  output: 64 * 2 ** 20,
  kept: 4 * 2 ** 20,
  fileSize: 2 ** 30,
  processes: 512,
  grace: 250,
}

export type Ending = "exit" | "timeout" | "aborted" | "output-limit" | "process-limit"

export interface CommandResult {
  readonly ended: Ending
  /** 128 and the number of the signal for what a signal killed. */
  readonly exitCode: number
  /** All of the output, or its beginning where something was left out. */
  readonly head: string
  readonly tail: string
  readonly omitted: number
  /** Why there was no sandbox; undefined when there was one. */
  readonly unsandboxed?: string
  /** Where that lies now which the command put in the place of protected links. */
  readonly replaced?: readonly string[]
}

/** Runs a command line in bash to its end, and leaves nothing of it behind. Or says why it does not. */
export async function runCommand(input: CommandInput): Promise<CommandResult | { readonly refused: string }> {
  const limits = { ...usualLimits, ...input.limits }
  const sandbox =
    input.sandbox === "off"
      ? { problem: "it was switched off" }
      : (input.found ?? (await sandboxFor(input.bounds.root)))
  if ("problem" in sandbox && input.sandbox === "required")
    return {
      refused: `Not run: a sandbox is required, but ${sandbox.problem}. Or let the configuration say that commands may run without one.`,
    }
  const shell = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((file) => fs.existsSync(file))
  if (shell === undefined) return { refused: "Not run: bash is not installed." }
  // More the kernel does not take as one argument.
  if (Buffer.byteLength(input.command) > 120_000)
    return { refused: "Not run: the command is longer than 120,000 bytes. Write it to a file and run that." }
  if (input.command.includes("\0")) return { refused: "Not run: the command has a NUL character in it." }
  if (input.signal?.aborted) return { refused: "Not run: the run is stopping." }
  const boxed = "path" in sandbox
  const { root, protected: names = [] } = input.bounds
  const free = boxed ? guardMissing(root, names) : () => {}
  const putBack = boxed ? keepLinks(root, names) : () => []
  try {
    const { fileSize, processes } = limits
    const limited = wrapper(boxed ? { fileSize, processes } : { fileSize })
    const words = [shell, "--noprofile", "--norc", "-c", limited, "bash", shell, input.command]
    const { failed, ...result } = await new Running(
      input,
      limits,
      boxed ? { path: sandbox.path, words } : { words },
    ).ended
    if (failed !== undefined) return { refused: `Not run: the sandbox could not be made (${failed}).` }
    const replaced = putBack()
    return {
      ...result,
      ...(!boxed && { unsandboxed: sandbox.problem }),
      ...(replaced.length > 0 && { replaced }),
    }
  } finally {
    free()
  }
}

/** One pipe for both, so that the output has its order; then the limits, then the command in a shell of its own. */
function wrapper({ fileSize, processes }: { fileSize: number; processes?: number }): string {
  const limits = [
    "-c 0",
    `-f ${Math.ceil(fileSize / 1024)}`,
    ...(processes === undefined ? [] : [`-u ${processes}`]),
  ]
  return `exec 2>&1; ${limits.map((limit) => `ulimit ${limit} 2>/dev/null; `).join("")}exec "$1" --noprofile --norc -c "$2" bash`
}
