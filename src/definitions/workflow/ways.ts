import { checkCondition } from "../../language/expression/condition.ts"
import type { Workflow, WorkflowStep } from "./workflow.ts"

/** A step that no run can reach, or that no run can leave. */
export interface LooseEnd {
  readonly step: string
  readonly index: number
  /** `unreachable`: no path leads to the step. `stuck`: no path leads from the step to the end of the workflow. */
  readonly type: "unreachable" | "stuck"
}

/** Finds steps that no run can reach, and steps from which no run can complete the workflow. */
export function findLooseEnds(workflow: Workflow): readonly LooseEnd[] {
  const { steps } = workflow
  const ways = new Map(steps.map((step) => [step.name, waysFrom(step, steps)]))
  const reached = closure([steps[0]!.name], (name) => ways.get(name) ?? [])
  const back = (name: string) =>
    steps.filter((step) => ways.get(step.name)!.includes(name)).map((step) => step.name)
  const ends = steps.filter((step) => mayEnd(workflow, step)).map(({ name }) => name)
  const ending = closure(ends, back)
  return steps.flatMap(({ name }, index): readonly LooseEnd[] => {
    if (!reached.has(name)) return [{ step: name, index, type: "unreachable" }]
    return ending.has(name) ? [] : [{ step: name, index, type: "stuck" }]
  })
}

function waysFrom(
  { name, transitions, exitWhen }: WorkflowStep,
  steps: readonly WorkflowStep[],
): readonly string[] {
  const next = exitWhen && steps[steps.findIndex((step) => step.name === name) + 1]
  return [...transitions.map(({ to }) => to), ...(next ? [next.name] : [])]
}

/** True if a workflow may be complete in a step. If that is unclear, it counts as true. */
function mayEnd({ steps, exitCondition }: Workflow, step: WorkflowStep): boolean {
  if (step.exitWhen && step === steps.at(-1)) return true
  if (!exitCondition) return step.transitions.length === 0 && step.exitWhen === undefined
  if (exitCondition.names.some(({ name }) => name !== "step" && name !== "current_step")) return true
  const answer = checkCondition(exitCondition, { step: step.name, current_step: step.name })
  return answer.type === "failed" || answer.isTrue
}

function closure(from: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const reachable = new Set(from)
  for (const name of reachable) for (const other of next(name)) reachable.add(other)
  return reachable
}
