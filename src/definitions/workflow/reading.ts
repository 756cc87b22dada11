import type { CodedProblem, PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { Json } from "../../ground/message.ts"
import { readGobbyWhen } from "../lifecycle/gobby/words.ts"
import { readWhen } from "../lifecycle/when.ts"
import type { Transition } from "./workflow.ts"

/** Something that is wrong with a workflow. What is only a warning keeps nothing from being followed. */
export type WorkflowProblem = CodedProblem<
  | "workflow-invalid"
  | "step-unknown"
  | "step-duplicate"
  | "workflow-unheard"
  /** It is understood, and something that it forbids cannot be followed here. */
  | "workflow-foreign"
>

export interface WorkflowPlace {
  /** What it is called where it does not say so itself. */
  readonly name: string
  /** Gobby's own files say some of it otherwise, and more: of that, what forbids nothing is passed over. */
  readonly as: "cadre" | "gobby"
}

/** One place in a workflow that is being read. */
export interface Reading extends Words {
  tell(problem: PlacedProblem & Partial<WorkflowProblem>): void
  /** The same, further in. */
  in(...path: PlacedProblem["path"]): Reading
}

interface Words extends WorkflowPlace {
  /** Of Gobby's: the names that its conditions and texts can use. */
  readonly names?: readonly string[]
}

export const readingOf = (place: Words, report: (problem: WorkflowProblem) => void): Reading => ({
  ...place,
  tell: (problem) => report({ code: "workflow-invalid", severity: "error", ...problem }),
  in: (...path) => readingOf(place, (problem) => report({ ...problem, path: [...path, ...problem.path] })),
})

/** What a condition says; undefined where there is none, or none that can be read. */
export function conditionOf(value: Json | undefined, reading: Reading): Transition["when"] {
  if (typeof value !== "string") return undefined
  const read = reading.names ? readGobbyWhen(value, reading.names) : readWhen(value)
  if ("problems" in read) {
    for (const { message, offset } of read.problems) reading.tell({ path: [], message, offset })
    return undefined
  }
  // As in Gobby, what is nobody's keeps a step as it is.
  for (const { message, offset } of read.unknown) reading.tell({ path: [], message, offset, ...unheard })
  return read.condition
}

/** One thing, or each of a list of them. */
export function placesOf(
  value: Json | undefined,
  reading: Reading,
): readonly { readonly value: Json; readonly reading: Reading }[] {
  if (value === undefined) return []
  return Array.isArray(value)
    ? value.map((entry: Json, index) => ({ value: entry, reading: reading.in(index) }))
    : [{ value, reading }]
}

export const unheard = { code: "workflow-unheard", severity: "warning" } as const
