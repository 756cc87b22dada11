import { holds } from "../../language/expression/condition.ts"
import type { Step, Workflow } from "./workflow.ts"

/** A step with which something is wrong that only all of them together show. */
export interface LooseEnd {
  readonly step: string
  readonly index: number
  /** `unreachable`: nothing leads there. `stuck`: nothing leads from there to where the workflow is complete. */
  readonly type: "unreachable" | "stuck"
}

/** Steps that no run gets to, and steps that no run gets out of. */
export function looseEnds(workflow: Workflow): readonly LooseEnd[] {
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

function waysFrom({ name, transitions, exitWhen }: Step, steps: readonly Step[]): readonly string[] {
  const next = exitWhen && steps[steps.findIndex((step) => step.name === name) + 1]
  return [...transitions.map(({ to }) => to), ...(next ? [next.name] : [])]
}

/** Whether a workflow may be complete in a step, as far as can be told. */
function mayEnd({ steps, exitCondition }: Workflow, step: Step): boolean {
  if (step.exitWhen && step === steps.at(-1)) return true
  if (!exitCondition) return step.transitions.length === 0 && step.exitWhen === undefined
  if (exitCondition.names.some(({ name }) => name !== "step" && name !== "current_step")) return true
  const answer = holds(exitCondition, { step: step.name, current_step: step.name })
  return answer.type === "failed" || answer.isTrue
}

function closure(from: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(from)
  for (const name of found) for (const other of next(name)) found.add(other)
  return found
}
