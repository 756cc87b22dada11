/** A program that can be the engine of an agent, as a configuration names it. */
export interface ExecutorSettings {
  /** The program and its arguments; no shell reads them. Programs are looked for in PATH, but never in the workspace. */
  readonly command: readonly string[]
  /**
   * How it is given the prompt: on its input (default), in a file whose path stands for `{prompt_file}` in the command, or
   * as the argument `{prompt}`, which only short ones fit into.
   */
  readonly prompt?: "stdin" | "file" | "argument"
  /** What it prints: its answer (default), or one JSON value that holds it. */
  readonly result?: "text" | "json"
  /** Of a JSON value: the way to the answer, with dots. Left out: the value as a whole. */
  readonly text?: string
  /** Of a JSON value: the way to what an agent with a result schema hands in. Left out: the answer, read as JSON. */
  readonly value?: string
  /** Of a JSON value: the ways to what its models took. Left out: nobody knows. */
  readonly usage?: ExecutorUsage
  /**
   * Words that are added where the agent says something of it, which stands for `{}` in them. Those about tools must limit
   * the program: what it has no words for keeps an agent from starting.
   */
  readonly options?: ExecutorOptions
  /** Names of variables of the environment that it gets besides the harmless ones. */
  readonly environment?: readonly string[]
  /** Milliseconds. Left out: as long as the run may take. */
  readonly timeout?: number
  /** Left out: what holds for commands. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** In the sandbox. Left out: what holds for commands. */
  readonly network?: "none" | "full"
  /** Folders besides the workspace that it may write to in the sandbox. */
  readonly writable?: readonly string[]
  /** Folders that it may read in the sandbox, which hides what people keep at home. */
  readonly visible?: readonly string[]
}

/** Ways to numbers of tokens, and to a cost in US dollars. */
export type ExecutorUsage = { readonly [Name in (typeof executorUsages)[number]]?: string }

export const executorUsages = ["input", "output", "cost"] as const

/** By what of an agent they hand on. */
export type ExecutorOptions = { readonly [Name in ExecutorOption]?: readonly string[] }

export type ExecutorOption = (typeof executorOptions)[number]

/**
 * `tools`: nothing but these. `noTools`: none at all. `disallowedTools`: all but these. `uses`: of the tools that they name
 * nothing but these, such as `Bash(git:*)`. `disallowedUses`: all but these.
 */
export const executorOptions = [
  "model",
  "effort",
  "tools",
  "noTools",
  "disallowedTools",
  "uses",
  "disallowedUses",
  "schema",
] as const

export type Executors = { readonly [name: string]: ExecutorSettings }

/** The tool that runs them, which no model is offered. */
export const executorToolName = "Executor"

export const isExecutorName = (name: unknown): name is string =>
  typeof name === "string" && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)

/** What no command does without a sandbox, no program does either. */
export const sandboxOf = (
  { sandbox }: Pick<ExecutorSettings, "sandbox">,
  ofCommands: NonNullable<ExecutorSettings["sandbox"]>,
): NonNullable<ExecutorSettings["sandbox"]> =>
  ofCommands === "required" ? ofCommands : (sandbox ?? ofCommands)

/** What is wrong with how the prompt is to reach it, or its answer to be read, in words that follow its name. */
export function executorProblem(settings: ExecutorSettings): string | undefined {
  const way = (["text", "value", "usage"] as const).find((key) => settings[key] !== undefined)
  if (way !== undefined && settings.result !== "json")
    return `has \`${way}\`, which is found in a JSON value, but prints text: set \`result: json\`, or take it out`
  const wrong = optionsProblem(settings.options ?? {})
  return promptProblem(settings) ?? (wrong && `is wrong in its \`options\`, which ${wrong}`)
}

/** What is wrong with the words for what an agent says, in words that follow `options`. */
export function optionsProblem(options: ExecutorOptions): string | undefined {
  for (const name of executorOptions) {
    const words = options[name]
    if (words === undefined) continue
    const stands = words.some((word) => word.includes("{}"))
    if (name === "noTools" && (stands || words.length === 0))
      return "has at noTools what must be words for no tools at all, without `{}`: nothing is there to stand for it"
    if (name !== "noTools" && !stands) return `has at ${name} no \`{}\`, which stands for what the agent says`
    if (limiting.includes(name) && onlyApproves(words))
      return `has \`--allowedTools\` at ${name}, which approves tools in advance and takes none away. \`--tools\` does, as in [--tools, '{}', --allowedTools, '{}']`
  }
  return undefined
}

const limiting: readonly ExecutorOption[] = ["tools", "noTools", "disallowedTools", "uses", "disallowedUses"]

/** Claude Code's word that reads as if it limited. */
const onlyApproves = (words: readonly string[]): boolean =>
  words.some((word) => /^--allowed-?tools(?:=|$)/i.test(word)) &&
  !words.some((word) => /^--tools(?:=|$)/.test(word))

function promptProblem({
  command,
  prompt = "stdin",
}: Pick<ExecutorSettings, "command" | "prompt">): string | undefined {
  const [program = "", ...words] = command
  if (program.trim() === "") return "names no program: `command` begins with one"
  const has = (placeholder: string) => words.some((word) => word.includes(placeholder))
  const wanted = { stdin: undefined, file: "{prompt_file}", argument: "{prompt}" }[prompt]
  if (wanted !== undefined && !has(wanted))
    return `is given its prompt as ${prompt === "file" ? "a file" : "an argument"}, but \`${wanted}\` is in none of its arguments: put it there`
  const other = ["{prompt_file}", "{prompt}"].find(
    (placeholder) => placeholder !== wanted && has(placeholder),
  )
  if (other === undefined) return undefined
  return `has \`${other}\` in its arguments, which stands for nothing with \`prompt: ${prompt}\`: set \`prompt: ${other === "{prompt}" ? "argument" : "file"}\`, or take it out`
}
