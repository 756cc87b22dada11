import { type ExecutorOption, type ExecutorSettings, executorOptions } from "../../agent/executor.ts"
import type { ExecutorInput } from "./input.ts"

/** What another program could see of all others, and more of which would not fit anyway. */
const longestArgument = 32_000

/** The arguments of the program. Each placeholder stands for a text once: what stands in a text stands for nothing. */
export function wordsFor(
  { command, prompt = "stdin", options = {} }: ExecutorSettings,
  input: ExecutorInput,
  file: string | undefined,
): { readonly words: readonly string[] } | { readonly problem: string } {
  const bytes = Buffer.byteLength(input.prompt)
  if (prompt === "argument" && bytes > longestArgument)
    return {
      problem: `the prompt has ${bytes} bytes, and as an argument it can have ${longestArgument}. Let the executor have it with \`prompt: stdin\` or \`prompt: file\`.`,
    }
  if (prompt === "argument" && input.prompt.startsWith("-") && isBare(command))
    return {
      problem:
        "the prompt begins with `-`, so the program would take it for an option. Let the executor have it with `prompt: stdin` or `prompt: file`, or put `--` before `{prompt}`.",
    }
  const words = command
    .slice(1)
    .map((word) =>
      prompt === "file"
        ? word.replaceAll("{prompt_file}", () => file!)
        : prompt === "argument"
          ? word.replaceAll("{prompt}", () => input.prompt)
          : word,
    )
  for (const name of executorOptions) {
    const [added, value] = [options[name], saidOf(input, name)]
    if (value === undefined) continue
    if (!added) return { problem: `the executor has no words for its ${name}. Start the run anew.` }
    if (value.startsWith("-") && added.includes("{}"))
      return {
        problem: `its ${name} is ${JSON.stringify(value)}, which the program would take for an option.`,
      }
    words.push(...added.map((word) => word.replaceAll("{}", () => value)))
  }
  return { words }
}

/** Whether a prompt could be read as an option: it stands alone, and nothing before it ends them. */
const isBare = (command: readonly string[]): boolean =>
  command.some((word, index) => word === "{prompt}" && command[index - 1] !== "--")

/** An empty list is no tools at all, for which there are words of their own: as a text it could mean every tool. */
function saidOf(input: ExecutorInput, name: ExecutorOption): string | undefined {
  const isEmpty = input.tools?.length === 0
  if (name === "noTools") return isEmpty ? "" : undefined
  if (name === "tools" && isEmpty) return undefined
  const { [name]: value } = input
  if (value === undefined || typeof value === "string") return value
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value)
}
