import { setTimeout } from "node:timers/promises"
import type { Input } from "../command.ts"

/** What was typed before it was asked has arrived by then, and answers nothing. */
const typedBefore = 50

/** Asks whoever sits at the terminal, once. Anything but yes, and the end of the input, is no. */
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
    await setTimeout(typedBefore)
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
