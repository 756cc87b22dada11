import { setTimeout } from "node:timers/promises"
import type { Input } from "../command.ts"

/** Milliseconds to wait before the question. Lines that were typed earlier arrive then, and must not answer it. */
const typedAheadPause = 50

/** Asks the person at the terminal once. Every answer except yes, and the end of the input, means no. */
export async function askPerson(
  input: Input,
  question: string,
  write: (text: string) => void,
): Promise<"yes" | "no"> {
  let answer: ((line: string | undefined) => void) | undefined
  let over = false
  const unlisten = input.onLine((line) => {
    over ||= line === undefined
    answer?.(line)
  })
  try {
    await setTimeout(typedAheadPause)
    write(question)
    const line = over
      ? undefined
      : await new Promise<string | undefined>((resolve) => {
          answer = resolve
        })
    if (line === undefined) write("\n")
    return /^\s*y(es)?\s*$/i.test(line ?? "") ? "yes" : "no"
  } finally {
    unlisten()
  }
}
