import type { ProcessInput, ProcessResult } from "./process.ts"
import { limitsText, runProcess } from "./run-process.ts"

export interface ProgramInput extends ProcessInput {
  /** The program, as a path that is found, and its arguments. */
  readonly words: readonly string[]
}

/** Runs a program, without a shell to read its arguments, to its end, and leaves nothing of it behind. Or says why it does not. */
export async function runProgram(input: ProgramInput): Promise<ProcessResult | { readonly refused: string }> {
  const { words } = input
  if (words.some((word) => word.includes("\0"))) return { refused: "Not run: it has a NUL character in it." }
  const longest = Math.max(...words.map((word) => Buffer.byteLength(word)))
  // More the kernel does not take as one argument.
  if (longest > 120_000)
    return { refused: `Not run: an argument has ${longest} bytes, and 120,000 are the most it can have.` }
  return runProcess(input, (bounded) => [
    "/bin/sh",
    "-c",
    `${limitsText(bounded, 512)}exec "$@"`,
    "sh",
    ...words,
  ])
}
