/** Every error a caller can act on. `code` is stable; the message says what, why and what to do. */
export class CadreError extends Error {
  override readonly name = "CadreError"
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export type ErrorCode =
  | "AGENT_001"
  | "AGENT_INVALID"
  | "AGENT_UNKNOWN"
  | "CALL_UNKNOWN"
  | "CONFIGURATION_INVALID"
  | "EXECUTOR_DENIED"
  | "EXECUTOR_INVALID"
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
