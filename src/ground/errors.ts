import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import type { TextRange } from "./diagnostics/position.ts"

/**
 * Every error that a caller can act on. `code` is stable; the message says what happened, why, and what to
 * do.
 *
 * @example
 * ```ts
 * import { CadreError, createRuntime } from "cadre"
 *
 * const runtime = createRuntime()
 * await runtime.read("01m7qma50kbnh0ghj10cexzy10").catch((error: unknown) => {
 *   if (error instanceof CadreError && error.code === "RUN_UNKNOWN") console.log("There is no such run.")
 *   else throw error
 * })
 * ```
 */
export class CadreError extends Error {
  /** The name of the class. Compare `code` to tell errors apart: `StartError` has this name, too. */
  override readonly name = "CadreError"
  /** The stable code of the error, such as `RUN_UNKNOWN`. */
  readonly code: ErrorCode
  /** The diagnostics of the files that the error is about, with their places. Absent: it is about no file. */
  declare readonly diagnostics?: readonly Diagnostic[]

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly diagnostics?: readonly Diagnostic[] } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined)
    this.code = code
    if (options.diagnostics && options.diagnostics.length > 0) this.diagnostics = options.diagnostics
  }
}

/** The stable codes of errors. docs/reference/errors.md explains each of them. */
export type ErrorCode =
  | "AGENT_001"
  | "AGENT_INVALID"
  | "AGENT_UNKNOWN"
  | "ATTACHMENT_INVALID"
  | "ANSWER_INVALID"
  | "CALL_UNKNOWN"
  | "CONFIGURATION_INVALID"
  | "DISC_001"
  | "DISC_003"
  | "DISC_004"
  | "EXECUTOR_DENIED"
  | "EXECUTOR_INVALID"
  | "MCP_SERVER_CHANGED"
  | "MCP_SERVER_INVALID"
  | "MCP_SERVER_UNKNOWN"
  | "MCP_TOOLS_CHANGED"
  | "EXECUTOR_UNKNOWN"
  | "GRAMMAR_MISSING"
  | "HOOK_INVALID"
  | "INPUT_INVALID"
  | "ISOLATION_REFUSED"
  | "LIMIT_INVALID"
  | "LOG_DAMAGED"
  | "LOG_VERSION"
  | "MESSAGE_REFUSED"
  | "MODE_REFUSED"
  | "MODEL_DENIED"
  | "MODEL_KEY_MISSING"
  | "MODEL_UNKNOWN"
  | "NODE_UNKNOWN"
  | "OPTION_INVALID"
  | "POSTCONDITION_UNCHECKED"
  | "RUN_ACTIVE"
  | "RUN_ENDED"
  | "RUN_OWNED"
  | "RUN_UNKNOWN"
  | "SCRIPT_INVALID"
  | "SKILL_UNKNOWN"
  | "STORE_FAILED"
  | "SUBAGENTS_DISABLED"
  | "TEXT_EMPTY"
  | "TOOL_INVALID"
  | "TOOL_SCRIPT"
  | "TOOL_UNKNOWN"
  | "TOOLS_DENIED"
  | "TRUST_CHANGED"
  | "TRUST_REFUSED"
  | "VARIABLE_INVALID"
  | "VARIABLE_UNSET"
  | "WORKFLOW_INVALID"
  | "WORKSPACE_UNKNOWN"

/** One reason why an agent does not start. A refused run, `check` and `doctor` all use these words. */
export interface StartProblem {
  /** The code of the caller's error. Absent: only a calling run is told. */
  readonly code?: ErrorCode
  /** The problem in words, and a remedy. */
  readonly message: string
  /**
   * `written`: the cause is in a definition or the configuration, so `check` finds it. `here`: only a start
   * can find it, such as a missing key, so `doctor` reports it. `call`: the call does not fit the agent.
   */
  readonly kind: "written" | "here" | "call"
  /** For a `written` problem: the code of the rule that explains it. */
  readonly rule?: string
  /** The part of the definition with the cause, such as `tools.allow`. Absent: the whole definition. */
  readonly part?: string
  /**
   * Where the cause is not in the definition: the setting of the configuration, or another file. With `part`:
   * the part that needs the setting. That is the place if no file has the setting.
   */
  readonly setting?: string
  /** The path of another file with the cause. Absent: the definition or the configuration has it. */
  readonly file?: string
  /** The keys that lead to the cause inside of that part, setting or file. */
  readonly path?: readonly (string | number)[]
  /** The last of these keys is wrong, and not its value. */
  readonly about?: "key"
  /** The offset in the text at that place. */
  readonly offset?: number
  /** The text as written, and the name that it must mean. */
  readonly meant?: { readonly wrong: string; readonly right: string }
  /** The place of the cause, in the file as it is written. */
  readonly place?: StartPlace
}

/** A part of a file that keeps an agent from starting. */
export interface StartPlace {
  /** The path of the file. */
  readonly file: string
  /** The part of the file, by lines and columns. */
  readonly range: TextRange
}

/**
 * An agent that cannot start, with every reason. Its code is the code of the first reason.
 *
 * @example
 * ```ts
 * import { createRuntime, defineAgent, StartError } from "cadre"
 *
 * const greeter = defineAgent({ name: "greeter", instructions: "Greet the person.", model: "unknown:model" })
 * const runtime = createRuntime({ agents: [greeter] })
 * await runtime.run("greeter", "Ada has arrived.").done.catch((error: unknown) => {
 *   if (!(error instanceof StartError)) throw error
 *   for (const { message, place } of error.problems) console.log(message, place?.file)
 * })
 * ```
 */
export class StartError extends CadreError {
  /** All reasons, in the order of the checks. */
  readonly problems: readonly StartProblem[]

  constructor(
    problems: readonly StartProblem[],
    { message, ...options }: { readonly cause?: unknown; readonly message?: string } = {},
  ) {
    super(problems[0]?.code ?? "AGENT_INVALID", message ?? problems.map(withPlace).join("\n"), {
      ...options,
      diagnostics: problems.flatMap((problem) => toDiagnostic(problem) ?? []),
    })
    this.problems = problems
  }
}

/** The same error in other words. */
export const rewordError = (error: CadreError, word: (message: string) => string): CadreError =>
  error instanceof StartError
    ? new StartError(error.problems.map((problem) => ({ ...problem, message: word(problem.message) })))
    : new CadreError(error.code, word(error.message))

/** A reason as a diagnostic; undefined if no file has the cause. */
export const toDiagnostic = ({ kind, rule, message, place }: StartProblem): Diagnostic | undefined =>
  kind === "written" && place
    ? { code: rule ?? "start-refused", severity: "error", message, file: place.file, range: place.range }
    : undefined

const withPlace = ({ message, place }: StartProblem): string =>
  place ? `${message} (${place.file}:${place.range.start.line}:${place.range.start.column})` : message

/** A name in quotes, cut if it is long. */
export const quoteName = (name: string): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)

/** "Known: a, b, c." for messages about a wrong name, with the nearest name first. */
export function listKnownNames(wrong: string, knownOnes: Iterable<string>): string {
  const names = [...knownOnes].sort()
  if (names.length === 0) return "None are known."
  const nearest = findNearestName(wrong.toLowerCase(), names)
  const listed =
    names.length > 50 ? `${names.slice(0, 50).join(", ")} and ${names.length - 50} more` : names.join(", ")
  return `${nearest === undefined ? "" : `Did you mean ${JSON.stringify(nearest)}? `}Known: ${listed}.`
}

/** The name with the smallest edit distance, or else one that begins with the text. */
export function findNearestName(wrong: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = 3
  for (const name of names) {
    // Of two equally near names, the one of the same length: letters are swapped more often than lost.
    const distance = editDistance(name.toLowerCase(), wrong) + (name.length === wrong.length ? 0 : 0.5)
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  if (nearest !== undefined) return nearest
  return wrong.length > 2 ? names.find((name) => name.toLowerCase().startsWith(wrong)) : undefined
}

/** A message of another program, followed by a sentence of ours. Adds the full stop that others leave out. */
export function appendSentence(message: string, sentence: string): string {
  const words = message.trimEnd()
  return /[.!?…:]["')\]]*$/.test(words) ? `${words} ${sentence}` : `${words}. ${sentence}`
}

/** The message of any thrown value. */
export function describeThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    // Foreign code may throw a value without a string form.
    return "an error without a message was thrown"
  }
}

/**
 * The edit distance, where two swapped letters count as one edit. Cut off above 2: enough to suggest a name.
 */
export function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2 || left.length > 100) return 3
  let above: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSwapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1),
        i > 1 && j > 1 && isSwapped ? above[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    above = row
    row = next
  }
  return row[right.length]!
}
