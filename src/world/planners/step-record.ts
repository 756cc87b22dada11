import type { Json } from "../../ground/message.ts"
import type { LimitName, RunOutcome } from "../../run/log/event-outcome.ts"
import type { PlannedResult } from "../../run/state/state.ts"
import { describeOutcome } from "../../run/words/prompt.ts"

/** The result of a step for later steps, as `steps.ID`. */
export interface StepRecord {
  /** The answer of the step's agent, or the JSON of the step's value. */
  readonly output: string
  /**
   * The value that the agent handed in. For a map, it is the list of the results; for a parallel step, an
   * object of them.
   */
  readonly value: Json
  readonly outcome: RunOutcome["type"] | "skipped"
  /** The reason why the step did not complete. */
  readonly error?: string
  readonly run?: string
  /** For a loop: the number of rounds. */
  readonly rounds?: number
  /** For a map: the record of each item. */
  readonly each?: Json
}

/** The failure of a step, with the record that it leaves if the pipeline continues. */
export interface StepFailure {
  readonly key: string
  readonly agent?: string
  readonly run?: string
  readonly outcome: RunOutcome
  readonly record: StepRecord
}

export const makeStepRecord = (
  outcome: StepRecord["outcome"],
  output: string,
  more: Partial<StepRecord> = {},
): StepRecord => ({ output, value: null, outcome, ...more })

/** The result of a step in a list or an object of several: its value, or its text if it has no value. */
export const getStepResult = ({ outcome, value, output }: StepRecord): Json =>
  value ?? (outcome === "completed" ? output : null)

/** Records are plain data, although their type does not say so. */
export const toJsonRecords = (
  records: StepRecord | Readonly<Record<string, StepRecord>>,
): { readonly [name: string]: Json } => records as unknown as { readonly [name: string]: Json }

/** Undefined if the call succeeded. */
export function findCallFailure(result: PlannedResult): StepFailure | undefined {
  const { key, status, text, agent, child, report, limit } = result
  const outcome =
    report?.outcome ?? (limit ? { type: "limit", limit, reason: text } : outcomeOf(status, text))
  if (outcome.type === "completed") return undefined
  const run = child === undefined ? {} : { run: child }
  return {
    key,
    ...(agent !== undefined && { agent }),
    ...run,
    outcome,
    record: makeStepRecord(outcome.type, report?.output ?? "", { error: reasonOf(outcome), ...run }),
  }
}

const reasonOf = (outcome: RunOutcome): string =>
  "reason" in outcome && outcome.type !== "limit" ? outcome.reason : describeOutcome(outcome)

function outcomeOf(status: PlannedResult["status"], reason: string): RunOutcome {
  switch (status) {
    case "ok":
      return { type: "completed" }
    case "denied":
      return { type: "denied", reason }
    case "unknown":
      return { type: "uncertain", reason }
    case "error":
    case "skipped":
      return { type: "failed", reason }
  }
}

/** The failure of a step whose text could not be read or filled in. */
export const createTextFailure = (key: string, reason: string): StepFailure => ({
  key,
  outcome: { type: "failed", reason },
  record: makeStepRecord("failed", "", { error: reason }),
})

/**
 * The outcome of a pipeline that a failed step ends. Denied, uncertain and loop outcomes keep their type, and
 * so do limits of the whole tree.
 */
export function getFailureOutcome({ key, agent, run, outcome }: StepFailure): RunOutcome {
  const who = agent === undefined ? "" : ` (agent ${agent}${run === undefined ? "" : `, run ${run}`})`
  const withStep = (reason: string) => `step ${key}${who}: ${reason.replace(/\.$/, "")}`
  switch (outcome.type) {
    case "failed":
    case "denied":
    case "uncertain":
    case "loop":
      return { type: outcome.type, reason: withStep(outcome.reason) }
    case "limit":
      return ofTree.includes(outcome.limit)
        ? {
            type: "limit",
            limit: outcome.limit,
            reason: withStep(outcome.reason ?? describeOutcome(outcome)),
          }
        : { type: "failed", reason: withStep(describeOutcome(outcome)) }
    default:
      return { type: "failed", reason: withStep(describeOutcome(outcome)) }
  }
}

/** Limits of a whole tree: where one is used up, no other step could do more. */
const ofTree: readonly LimitName[] = ["tokens", "cost", "spawns"]
