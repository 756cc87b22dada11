import { sandboxFor } from "./find-sandbox.ts"
import type { ProcessInput, ProcessLimits, ProcessResult } from "./process.ts"
import { runBoxed } from "./run-boxed.ts"
import { Running } from "./running.ts"

const usualLimits: ProcessLimits = {
  output: 64 * 2 ** 20,
  kept: 4 * 2 ** 20,
  fileSize: 2 ** 30,
  processes: 512,
  grace: 250,
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
