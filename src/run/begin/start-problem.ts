import { CadreError, type ErrorCode, StartError, type StartProblem } from "../../ground/errors.ts"

export function failures(check: () => void): readonly StartProblem[] {
  try {
    check()
    return []
  } catch (error) {
    return problemsOf(error)
  }
}

/** What it gives, or why it gives nothing. */
export async function attempted<Value>(work: () => Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { value: await work(), problems: [] }
  } catch (error) {
    return { problems: problemsOf(error) }
  }
}

interface Attempted<Value> {
  readonly value?: Value
  readonly problems: readonly StartProblem[]
}

/** What an error says of a start. One that says no more than its code is taken for what that code usually means. */
export function problemsOf(error: unknown): readonly StartProblem[] {
  if (error instanceof StartError) return error.problems
  if (!(error instanceof CadreError)) throw error
  const { code, message } = error
  return [{ code, message, kind: usualKinds[code] ?? "written" }]
}

const usualKinds: Partial<Record<ErrorCode, StartProblem["kind"]>> = {
  AGENT_UNKNOWN: "call",
  ATTACHMENT_INVALID: "call",
  CALL_UNKNOWN: "call",
  INPUT_INVALID: "call",
  LIMIT_INVALID: "call",
  LOG_DAMAGED: "here",
  LOG_VERSION: "here",
  MODEL_DENIED: "call",
  MODEL_KEY_MISSING: "here",
  RUN_ACTIVE: "call",
  RUN_ENDED: "call",
  RUN_OWNED: "here",
  RUN_UNKNOWN: "call",
  STORE_FAILED: "here",
  TEXT_EMPTY: "call",
  TRUST_CHANGED: "here",
  TRUST_REFUSED: "here",
  WORKSPACE_UNKNOWN: "here",
}

/** The same reason is told once, however many looks find it. */
export const unique = (problems: readonly StartProblem[]): readonly StartProblem[] =>
  problems.filter(({ message }, index) => problems.findIndex((other) => other.message === message) === index)

/** Why nothing starts where the configuration says so. */
export const subagentsDisabled: StartProblem = {
  code: "SUBAGENTS_DISABLED",
  kind: "written",
  rule: "subagents-disabled",
  setting: "subagents.enabled",
  message:
    "Subagents feature is disabled in this configuration. Enable `subagents.enabled` to run subagents.",
}
