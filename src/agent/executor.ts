/** A program that can run an agent, as it is set up in a configuration. */
export interface ExecutorSettings {
  /**
   * The program and its arguments, without a shell. Programs are looked for in PATH, but never in the
   * workspace.
   */
  readonly command: readonly string[]
  /**
   * The way in which the program gets the prompt. `stdin` is the default. With `file`, `{prompt_file}` in the
   * command is the path of a file. With `argument`, `{prompt}` in the command is the prompt, which must be
   * short.
   */
  readonly prompt?: "stdin" | "file" | "argument"
  /** The program prints its answer as text (default), or one JSON value that contains it. */
  readonly result?: "text" | "json"
  /** For a JSON value: the path to the answer, with dots. Absent: the whole value. */
  readonly text?: string
  /**
   * For a JSON value: the path to the result of an agent with a result schema. Absent: the answer, read as
   * JSON.
   */
  readonly value?: string
  /** For a JSON value: the paths to the usage of its models. Absent: the usage is unknown. */
  readonly usage?: ExecutorUsage
  /**
   * Arguments that are added where the agent has a value, which replaces `{}` in them. Those about tools must
   * limit the program. A limit without such arguments keeps the agent from starting.
   */
  readonly options?: ExecutorOptions
  /** Names of environment variables that it gets besides the harmless ones. */
  readonly environment?: readonly string[]
  /** Milliseconds. Absent: as long as the run may take. */
  readonly timeout?: number
  /** Absent: the setting for commands. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** The network in the sandbox. Absent: the setting for commands. */
  readonly network?: "none" | "full"
  /** Folders besides the workspace that it may write to in the sandbox. */
  readonly writable?: readonly string[]
  /** Folders that it may read in the sandbox, which hides the rest of the home folder. */
  readonly visible?: readonly string[]
}

/** Paths to numbers of tokens, and to a cost in US dollars. */
export type ExecutorUsage = { readonly [Name in (typeof executorUsages)[number]]?: string }

export const executorUsages = ["input", "output", "cost"] as const

/** Arguments by the part of an agent that they pass on. */
export type ExecutorOptions = { readonly [Name in ExecutorOption]?: readonly string[] }

export type ExecutorOption = (typeof executorOptions)[number]

/**
 * `tools`: nothing but these. `noTools`: none at all. `disallowedTools`: all but these. `uses`: of the tools
 * that they name, only these uses, such as `Bash(git:*)`. `disallowedUses`: all but these uses.
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

/** Programs that can run agents, by the name that `executor` in a definition uses. */
export type Executors = { readonly [name: string]: ExecutorSettings }

/** The tool that runs executors. No model is offered it. */
export const executorToolName = "Executor"

export const isExecutorName = (name: unknown): name is string =>
  typeof name === "string" && /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)

/** If commands must not run without a sandbox, neither must programs. */
export const resolveSandbox = (
  { sandbox }: Pick<ExecutorSettings, "sandbox">,
  ofCommands: NonNullable<ExecutorSettings["sandbox"]>,
): NonNullable<ExecutorSettings["sandbox"]> =>
  ofCommands === "required" ? ofCommands : (sandbox ?? ofCommands)

/** The problem with the prompt or the result of an executor, in words that follow its name. */
export function findExecutorProblem(settings: ExecutorSettings): string | undefined {
  const way = (["text", "value", "usage"] as const).find((key) => settings[key] !== undefined)
  if (way !== undefined && settings.result !== "json")
    return `has \`${way}\`, which needs a JSON result, but prints text: set \`result: json\`, or remove \`${way}\``
  const wrong = findExecutorOptionsProblem(settings.options ?? {})
  return promptProblem(settings) ?? (wrong && `has invalid \`options\`, which ${wrong}`)
}

/** The problem with the arguments for an agent's values, in words that follow `options`. */
export function findExecutorOptionsProblem(options: ExecutorOptions): string | undefined {
  for (const name of executorOptions) {
    const words = options[name]
    if (words === undefined) continue
    const hasPlaceholder = words.some((word) => word.includes("{}"))
    if (name === "noTools" && (hasPlaceholder || words.length === 0))
      return "must have at noTools the words for no tools at all, without `{}`"
    if (name !== "noTools" && !hasPlaceholder)
      return `has no \`{}\` at ${name}, which marks the place of the agent's value`
    if (limiting.includes(name) && onlyApproves(words))
      return `has \`--allowedTools\` at ${name}, which approves tools in advance and removes none. Use \`--tools\`, as in [--tools, '{}', --allowedTools, '{}']`
  }
  return undefined
}

const limiting: readonly ExecutorOption[] = ["tools", "noTools", "disallowedTools", "uses", "disallowedUses"]

/** Claude Code's option that only looks like a limit. */
const onlyApproves = (words: readonly string[]): boolean =>
  words.some((word) => /^--allowed-?tools(?:=|$)/i.test(word)) &&
  !words.some((word) => /^--tools(?:=|$)/.test(word))

function promptProblem({
  command,
  prompt = "stdin",
}: Pick<ExecutorSettings, "command" | "prompt">): string | undefined {
  const [program = "", ...words] = command
  if (program.trim() === "") return "names no program: `command` must begin with one"
  const has = (placeholder: string) => words.some((word) => word.includes(placeholder))
  const placeholder = { stdin: undefined, file: "{prompt_file}", argument: "{prompt}" }[prompt]
  if (placeholder !== undefined && !has(placeholder))
    return `gets its prompt as ${prompt === "file" ? "a file" : "an argument"}, but none of its arguments has \`${placeholder}\`: add it`
  const other = ["{prompt_file}", "{prompt}"].find((one) => one !== placeholder && has(one))
  if (other === undefined) return undefined
  return `has \`${other}\` in its arguments, which has no meaning with \`prompt: ${prompt}\`: set \`prompt: ${other === "{prompt}" ? "argument" : "file"}\`, or remove it`
}
