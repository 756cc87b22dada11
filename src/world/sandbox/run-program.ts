import type { ProcessInput, ProcessResult } from "./process.ts"
import { runProcess, writeLimits } from "./run-process.ts"

export interface ProgramInput extends ProcessInput {
  /** The program, as a path that exists, and its arguments. */
  readonly words: readonly string[]
}

/**
 * Runs a program to its end, with no shell that interprets its arguments, and leaves no process of it behind.
 * `refused` says why it did not run.
 */
export async function runBoundedProgram(
  input: ProgramInput,
): Promise<ProcessResult | { readonly refused: string }> {
  const { words } = input
  if (words.some((word) => word.includes("\0")))
    return { refused: "Not run: an argument has a NUL character in it." }
  const longest = Math.max(...words.map((word) => Buffer.byteLength(word)))
  // The kernel does not accept much more as one argument.
  if (longest > 120_000)
    return { refused: `Not run: an argument has ${longest} bytes. At most 120,000 are allowed.` }
  return runProcess(input, (bounded) => [
    "/bin/sh",
    "-c",
    `${writeLimits(bounded, 512)}exec "$@"`,
    "sh",
    ...words,
  ])
}
