import { type ExecutorOption, type ExecutorSettings, executorOptions } from "../../agent/executor.ts"
import type { ExecutorInput } from "./input.ts"

/**
 * The longest prompt that is passed as an argument, in bytes. Other programs can see arguments, and the system limits
 * their length.
 */
const longestArgument = 32_000

/** Makes the arguments of the program. Placeholders are replaced once: a placeholder inside a prompt stays text. */
export function buildExecutorArguments(
  { command, prompt = "stdin", options = {} }: ExecutorSettings,
  input: ExecutorInput,
  file: string | undefined,
): { readonly words: readonly string[] } | { readonly problem: string } {
  const bytes = Buffer.byteLength(input.prompt)
  if (prompt === "argument" && bytes > longestArgument)
    return {
      problem: `the prompt has ${bytes} bytes, but an argument may have at most ${longestArgument}. Use \`prompt: stdin\` or \`prompt: file\` for the executor.`,
    }
  if (prompt === "argument" && input.prompt.startsWith("-") && isBare(command))
    return {
      problem:
        "the prompt begins with `-`, so the program would read it as an option. Use `prompt: stdin` or `prompt: file` for the executor, or put `--` before `{prompt}`.",
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
    const [template, value] = [options[name], optionValue(input, name)]
    if (value === undefined) continue
    if (!template)
      return {
        problem: `the executor no longer has \`options.${name}\`, which this run was planned with. Start the run again.`,
      }
    if (value.startsWith("-") && template.includes("{}"))
      return {
        problem: `its ${name} is ${JSON.stringify(value)}, which the program would read as an option.`,
      }
    words.push(...template.map((word) => word.replaceAll("{}", () => value)))
  }
  return { words }
}

/** True if the program could read the prompt as an option: it is an argument of its own, and no `--` precedes it. */
const isBare = (command: readonly string[]): boolean =>
  command.some((word, index) => word === "{prompt}" && command[index - 1] !== "--")

/** The text for an option. An empty list of tools has its own option, because as a text it could mean every tool. */
function optionValue(input: ExecutorInput, name: ExecutorOption): string | undefined {
  const isEmpty = input.tools?.length === 0
  if (name === "noTools") return isEmpty ? "" : undefined
  if (name === "tools" && isEmpty) return undefined
  const { [name]: value } = input
  if (value === undefined || typeof value === "string") return value
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value)
}
