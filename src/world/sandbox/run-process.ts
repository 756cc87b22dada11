import { findFolderSandbox } from "./find-sandbox.ts"
import type { ProcessInput, ProcessLimits, ProcessResult } from "./process.ts"
import { runBoxed } from "./run-boxed.ts"
import { RunningProcess } from "./running.ts"

const usualLimits: ProcessLimits = {
  output: 64 * 2 ** 20,
  keptOutput: 4 * 2 ** 20,
  fileSize: 2 ** 30,
  processes: 512,
  grace: 250,
}

/** The limits that `ulimit` sets. */
export interface ShellLimits {
  readonly fileSize: number
  readonly processes?: number
}

/** Runs a program to its end, and leaves no process of it behind. `refused` says why it did not run. */
export async function runProcess(
  input: ProcessInput,
  wordsFor: (bounded: ShellLimits) => readonly string[],
): Promise<ProcessResult | { readonly refused: string }> {
  const limits = { ...usualLimits, ...input.limits }
  const sandbox =
    input.sandbox === "off"
      ? { problem: "it was switched off" }
      : (input.availableSandbox ?? (await findFolderSandbox(input.bounds.root)))
  if ("problem" in sandbox && input.sandbox === "required")
    return {
      refused: `Not run: a sandbox is required, but ${sandbox.problem}. Or set \`sandbox\` to \`preferred\` in the configuration, to run commands without one.`,
    }
  if (input.signal?.aborted) return { refused: "Not run: the run is stopping." }
  const { fileSize, processes } = limits
  if ("path" in sandbox) return runBoxed(sandbox.path, input, limits, wordsFor({ fileSize, processes }))
  const running = new RunningProcess(input, limits, { words: wordsFor({ fileSize }) })
  const { failed: _, ...result } = await running.whenEnded
  return { ...result, unsandboxed: sandbox.problem }
}

/** The text that sets the limits, for a shell that counts the size of files in blocks of so many bytes. */
export function writeLimits({ fileSize, processes }: ShellLimits, block: 512 | 1024): string {
  const set = (limit: string) => `ulimit ${limit} 2>/dev/null`
  return [
    set("-c 0"),
    set(`-f ${Math.ceil(fileSize / block)}`),
    // The option `-u` of bash is `-p` in other shells.
    ...(processes === undefined ? [] : [`${set(`-u ${processes}`)} || ${set(`-p ${processes}`)}`]),
    "",
  ].join("; ")
}
