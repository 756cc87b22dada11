import type { PipelineStep } from "../../agent/pipeline.ts"
import {
  evaluateText,
  fillValue,
  readExpression,
  type TextScope,
  testCondition,
} from "../../definitions/pipelines/text.ts"
import type { Json } from "../../ground/message.ts"

/**
 * The fewest subagent runs that the steps can need. The planner refuses a pipeline whose `maxSpawns` is lower,
 * before it pays for anything. A step that refers to results of other steps counts as 0.
 */
export function countLeastSpawns(steps: readonly PipelineStep[], scope: TextScope): number {
  let count = 0
  for (const step of steps) if (certainlyRuns(step, scope)) count += spawnsOf(step, scope)
  return count
}

function spawnsOf(step: PipelineStep, scope: TextScope): number {
  if ("parallel" in step) return countLeastSpawns(step.parallel, scope)
  if ("loop" in step) return countLeastSpawns(step.steps, { ...scope, round: 1 })
  if ("map" in step)
    return typeof step.map === "string"
      ? spawnsOfExpression(step, step.map, scope)
      : spawnsOfList(step, scope)
  return "agent" in step ? 1 : 0
}

type MapStep = Extract<PipelineStep, { map: unknown }>

function spawnsOfExpression(step: MapStep, expression: string, scope: TextScope): number {
  if (!isIndependent(expression)) return 0
  const list = evaluateText(expression, scope)
  return "value" in list && Array.isArray(list.value) ? countItemSpawns(step, list.value, scope) : 0
}

function spawnsOfList(step: MapStep, scope: TextScope): number {
  const list = fillValue(step.map as Json, scope)
  // An item with a template that cannot be filled in yet still counts as one item.
  const items = "value" in list && Array.isArray(list.value) ? list.value : (step.map as readonly Json[])
  return countItemSpawns(step, items, scope)
}

/** The fewest subagent runs that the items of a map can need. */
export function countItemSpawns(step: MapStep, items: readonly Json[], scope: TextScope): number {
  const { steps, as = "item" } = step
  if (!steps) return items.length
  let count = 0
  for (const [index, item] of items.entries())
    count += countLeastSpawns(steps, { ...scope, [as]: item, index })
  return count
}

const certainlyRuns = ({ when }: PipelineStep, scope: TextScope): boolean => {
  if (when === undefined) return true
  if (!isIndependent(when)) return false
  const holds = testCondition(when, scope)
  return "value" in holds && holds.value
}

/** True if an expression does not refer to results of steps. */
function isIndependent(expression: string): boolean {
  const parsed = readExpression(expression)
  return (
    parsed.type === "read" && parsed.references.every(({ name }) => name !== "steps" && name !== "previous")
  )
}
