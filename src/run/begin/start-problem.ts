import { CadreError, type ErrorCode, StartError, type StartProblem } from "../../ground/errors.ts"

export function collectProblems(check: () => void): readonly StartProblem[] {
  try {
    check()
    return []
  } catch (error) {
    return readProblems(error)
  }
}

/** The value of `work`, or the problems that it threw. */
export async function attemptStart<Value>(work: () => Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { value: await work(), problems: [] }
  } catch (error) {
    return { problems: readProblems(error) }
  }
}

interface Attempted<Value> {
  readonly value?: Value
  readonly problems: readonly StartProblem[]
}

/** The problems in an error. An error that is no StartError gets the kind that its code usually has. */
export function readProblems(error: unknown): readonly StartProblem[] {
  if (error instanceof StartError) return error.problems
  if (!(error instanceof CadreError)) throw error
  const { code, message } = error
  return [{ code, message, kind: usualKinds[code] ?? "written" }]
}

const usualKinds: Partial<Record<ErrorCode, StartProblem["kind"]>> = {
  AGENT_UNKNOWN: "call",
  ATTACHMENT_INVALID: "call",
  ANSWER_INVALID: "call",
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

/** Several checks may find the same problem: only the first is kept. */
export const dropRepeatedProblems = (problems: readonly StartProblem[]): readonly StartProblem[] =>
  problems.filter(({ message }, index) => problems.findIndex((other) => other.message === message) === index)

/** The problem of every agent where the configuration disables subagents. */
export const subagentsDisabledProblem: StartProblem = {
  code: "SUBAGENTS_DISABLED",
  kind: "written",
  rule: "subagents-disabled",
  setting: "subagents.enabled",
  message:
    "Subagents feature is disabled in this configuration. Enable `subagents.enabled` to run subagents.",
}
