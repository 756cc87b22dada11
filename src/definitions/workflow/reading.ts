import type { CodedProblem, PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { Json } from "../../ground/message.ts"
import { readGobbyWhen } from "../lifecycle/gobby/conditions.ts"
import { readWhen } from "../lifecycle/when.ts"
import type { Transition } from "./workflow.ts"

/** A problem of a workflow. A workflow that has only warnings can be followed. */
export type WorkflowProblem = CodedProblem<
  | "workflow-invalid"
  | "step-unknown"
  | "step-duplicate"
  | "workflow-unheard"
  /** The workflow is valid, but something that it forbids is not supported here. */
  | "workflow-foreign"
>

export interface WorkflowPlace {
  /** The name of a workflow that has no `name`. */
  readonly name: string
  /** The format. Gobby's files have more keys, and those that forbid nothing are skipped. */
  readonly as: "cadre" | "gobby"
}

/** The state of reading one place of a workflow. */
export interface WorkflowReading extends Words {
  tell(problem: PlacedProblem & Partial<WorkflowProblem>): void
  /** The state for a place inside of this one. */
  in(...path: PlacedProblem["path"]): WorkflowReading
}

interface Words extends WorkflowPlace {
  /** In Gobby's format: the names that conditions and texts can use. */
  readonly names?: readonly string[]
}

export const startReading = (place: Words, report: (problem: WorkflowProblem) => void): WorkflowReading => ({
  ...place,
  tell: (problem) => report({ code: "workflow-invalid", severity: "error", ...problem }),
  in: (...path) => startReading(place, (problem) => report({ ...problem, path: [...path, ...problem.path] })),
})

/** Reads a condition. Undefined: there is none, or it is invalid. */
export function readCondition(value: Json | undefined, reading: WorkflowReading): Transition["when"] {
  if (typeof value !== "string") return undefined
  const read = reading.names ? readGobbyWhen(value, reading.names) : readWhen(value)
  if ("problems" in read) {
    for (const { message, offset } of read.problems) reading.tell({ path: [], message, offset })
    return undefined
  }
  // As in Gobby, a condition with an unknown name does not hold, so it is only a warning.
  for (const { message, offset } of read.unknown)
    reading.tell({ path: [], message, offset, ...noEffectWarning })
  return read.condition
}

/** The items of a list, or a single value, each with its place. */
export function listItemsWithReading(
  value: Json | undefined,
  reading: WorkflowReading,
): readonly { readonly value: Json; readonly reading: WorkflowReading }[] {
  if (value === undefined) return []
  return Array.isArray(value)
    ? value.map((entry: Json, index) => ({ value: entry, reading: reading.in(index) }))
    : [{ value, reading }]
}

/** Turns a problem into a warning that a part of the file has no effect. */
export const noEffectWarning = { code: "workflow-unheard", severity: "warning" } as const
