import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import type { Range } from "./diagnostics/position.ts"

/** Every error a caller can act on. `code` is stable; the message says what, why and what to do. */
export class CadreError extends Error {
  override readonly name = "CadreError"
  readonly code: ErrorCode
  /** What `check` says of the files that it is about, with their places. Absent: it is about no file. */
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

export type ErrorCode =
  | "AGENT_001"
  | "AGENT_INVALID"
  | "AGENT_UNKNOWN"
  | "ATTACHMENT_INVALID"
  | "CALL_UNKNOWN"
  | "CONFIGURATION_INVALID"
  | "EXECUTOR_DENIED"
  | "EXECUTOR_INVALID"
  | "MCP_SERVER_INVALID"
  | "EXECUTOR_UNKNOWN"
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
  | "TOOL_UNKNOWN"
  | "TOOLS_DENIED"
  | "TRUST_CHANGED"
  | "TRUST_REFUSED"
  | "VARIABLE_INVALID"
  | "VARIABLE_UNSET"
  | "WORKFLOW_INVALID"
  | "WORKSPACE_UNKNOWN"

/** One reason why an agent does not start. A refused run, `check` and `doctor` all tell it in these words. */
export interface StartProblem {
  /** Of the error that the caller gets. Absent: only a calling run is told. */
  readonly code?: ErrorCode
  readonly message: string
  /**
   * `written`: a definition or the configuration says it, so `check` finds it. `here`: only a start can find it, such as a
   * missing key, so `doctor` tells it. `call`: what the caller asks for does not fit.
   */
  readonly kind: "written" | "here" | "call"
  /** Of what is written: the code of the rule that explains it. */
  readonly rule?: string
  /** Which part of the definition says it, such as `tools.allow`. Absent: the definition as a whole. */
  readonly part?: string
  /**
   * Where it is not the definition: the setting of the configuration that says it, or another file. With `part`: the part
   * that needs the setting, for the place where no file has that setting.
   */
  readonly setting?: string
  readonly file?: string
  /** The keys that lead to it inside of that part, setting or file. */
  readonly path?: readonly (string | number)[]
  /** It is the last of these keys that is wrong, and not what stands behind it. */
  readonly about?: "key"
  /** How far into the text that stands there. */
  readonly offset?: number
  /** What was written, and the name that must have been meant. */
  readonly meant?: { readonly wrong: string; readonly right: string }
  /** Where that is, in the file as it is written. */
  readonly place?: StartPlace
}

export interface StartPlace {
  readonly file: string
  readonly range: Range
}

/** An agent that cannot start, with every reason that was found. Its code is that of the first. */
export class StartError extends CadreError {
  readonly problems: readonly StartProblem[]

  constructor(
    problems: readonly StartProblem[],
    { message, ...options }: { readonly cause?: unknown; readonly message?: string } = {},
  ) {
    super(problems[0]?.code ?? "AGENT_INVALID", message ?? problems.map(withPlace).join("\n"), {
      ...options,
      diagnostics: problems.flatMap((problem) => diagnosticOf(problem) ?? []),
    })
    this.problems = problems
  }
}

/** The same error in other words. */
export const reworded = (error: CadreError, word: (message: string) => string): CadreError =>
  error instanceof StartError
    ? new StartError(error.problems.map((problem) => ({ ...problem, message: word(problem.message) })))
    : new CadreError(error.code, word(error.message))

/** A reason as `check` tells it; undefined where no file says it. */
export const diagnosticOf = ({ kind, rule, message, place }: StartProblem): Diagnostic | undefined =>
  kind === "written" && place
    ? { code: rule ?? "start-refused", severity: "error", message, file: place.file, range: place.range }
    : undefined

const withPlace = ({ message, place }: StartProblem): string =>
  place ? `${message} (${place.file}:${place.range.start.line}:${place.range.start.column})` : message

/** A name in quotes, however long it is. */
export const shownName = (name: string): string =>
  JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)

/** "Known: a, b, c." for messages about a wrong name, with the nearest name first. */
export function knownNames(wrong: string, known: Iterable<string>): string {
  const names = [...known].sort()
  if (names.length === 0) return "None are known."
  const nearest = nearestName(wrong.toLowerCase(), names)
  const listed =
    names.length > 50 ? `${names.slice(0, 50).join(", ")} and ${names.length - 50} more` : names.join(", ")
  return `${nearest === undefined ? "" : `Did you mean ${JSON.stringify(nearest)}? `}Known: ${listed}.`
}

/** The fewest letters away, or else the one that was not written to its end. */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = 3
  for (const name of names) {
    // Of two that are as near, the one of the same length: letters change places more often than they get lost.
    const distance = editDistance(name.toLowerCase(), wrong) + (name.length === wrong.length ? 0 : 0.5)
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  if (nearest !== undefined) return nearest
  return wrong.length > 2 ? names.find((name) => name.toLowerCase().startsWith(wrong)) : undefined
}

/** What somebody else said, and a sentence of ours after it. Others leave the full stop out. */
export function followedBy(said: string, sentence: string): string {
  const words = said.trimEnd()
  return /[.!?…:]["')\]]*$/.test(words) ? `${words} ${sentence}` : `${words}. ${sentence}`
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    // Foreign code may throw what cannot even be said.
    return "something that has no message was thrown"
  }
}

/** Edit distance, where two letters that changed places count as one edit; cut off above 2: enough to suggest a name. */
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
