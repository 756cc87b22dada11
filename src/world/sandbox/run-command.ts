import fs from "node:fs"
import type { ProcessInput, ProcessResult } from "./process.ts"
import { runProcess, type ShellLimits, writeLimits } from "./run-process.ts"

export interface CommandInput extends ProcessInput {
  readonly command: string
}

/**
 * Runs a command line in bash to its end, and leaves no process of it behind. `refused` says why it did not
 * run.
 */
export async function runCommand(input: CommandInput): Promise<ProcessResult | { readonly refused: string }> {
  const shell = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((file) => fs.existsSync(file))
  if (shell === undefined) return { refused: "Not run: bash is not installed." }
  // The kernel does not accept much more as one argument.
  if (Buffer.byteLength(input.command) > 120_000)
    return { refused: "Not run: the command is longer than 120,000 bytes. Write it to a file and run that." }
  if (input.command.includes("\0")) return { refused: "Not run: the command has a NUL character in it." }
  return runProcess(input, (bounded) => [
    shell,
    "--noprofile",
    "--norc",
    "-c",
    wrapper(bounded),
    "bash",
    shell,
    input.command,
  ])
}

/**
 * One pipe for output and errors keeps their order. The limits come first, then the command in its own shell.
 */
const wrapper = (bounded: ShellLimits): string =>
  `exec 2>&1; ${writeLimits(bounded, 1024)}exec "$1" --noprofile --norc -c "$2" bash`
