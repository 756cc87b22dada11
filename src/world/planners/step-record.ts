import type { Json } from "../../ground/message.ts"
import type { LimitName, Outcome } from "../../run/log/event-outcome.ts"
import type { PlannedResult } from "../../run/state/state.ts"
import { describe } from "../../run/words/prompt.ts"

/** What a step leaves for those after it, as `steps.ID`. */
export interface StepRecord {
  /** Its text: what its agent answered, or the JSON of its value. */
  readonly output: string
  /** What its agent handed in; of a map the list, of a parallel step an object, of what each of them gave. */
  readonly value: Json
  readonly outcome: Outcome["type"] | "skipped"
  /** Why it did not complete. */
  readonly error?: string
  readonly run?: string
  /** Of a loop: how many there were. */
  readonly rounds?: number
  /** Of a map: what each item left. */
  readonly each?: Json
}

/** Why a step did not do what it should, and what it leaves where the pipeline goes on. */
export interface Failure {
  readonly key: string
  readonly agent?: string
  readonly run?: string
  readonly outcome: Outcome
  readonly record: StepRecord
}

export const recordOf = (
  outcome: StepRecord["outcome"],
  output: string,
  more: Partial<StepRecord> = {},
): StepRecord => ({ output, value: null, outcome, ...more })

/** What a step stands for in a list or an object of several: its value, or its text where it has none. */
export const resultOf = ({ outcome, value, output }: StepRecord): Json =>
  value ?? (outcome === "completed" ? output : null)

/** Records are plain data, which their type does not tell. */
export const asJson = (
  records: StepRecord | Readonly<Record<string, StepRecord>>,
): { readonly [name: string]: Json } => records as unknown as { readonly [name: string]: Json }

/** Undefined: it did what it should. */
export function failureOf(result: PlannedResult): Failure | undefined {
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
    record: recordOf(outcome.type, report?.output ?? "", { error: reasonOf(outcome), ...run }),
  }
}

const reasonOf = (outcome: Outcome): string =>
  "reason" in outcome && outcome.type !== "limit" ? outcome.reason : describe(outcome)

function outcomeOf(status: PlannedResult["status"], reason: string): Outcome {
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

/** A text of the step could not be read or filled in. */
export const failureOfText = (key: string, reason: string): Failure => ({
  key,
  outcome: { type: "failed", reason },
  record: recordOf("failed", "", { error: reason }),
})

/** How a pipeline ends that a step ended: what a person or a rule refused, and what nobody knows, stays that. */
export function outcomeBy({ key, agent, run, outcome }: Failure): Outcome {
  const who = agent === undefined ? "" : ` (agent ${agent}${run === undefined ? "" : `, run ${run}`})`
  const named = (said: string) => `step ${key}${who}: ${said.replace(/\.$/, "")}`
  switch (outcome.type) {
    case "failed":
    case "denied":
    case "uncertain":
    case "loop":
      return { type: outcome.type, reason: named(outcome.reason) }
    case "limit":
      return ofTree.includes(outcome.limit)
        ? { type: "limit", limit: outcome.limit, reason: named(outcome.reason ?? describe(outcome)) }
        : { type: "failed", reason: named(describe(outcome)) }
    default:
      return { type: "failed", reason: named(describe(outcome)) }
  }
}

/** Limits that count for a whole tree: where one is used up, no other step could do more. */
const ofTree: readonly LimitName[] = ["tokens", "cost", "spawns"]
