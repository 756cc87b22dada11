import type { PipelineStep } from "../../agent/pipeline.ts"
import { fillValue, isSo, readExpression, type Scope, workOut } from "../../definitions/pipelines/text.ts"
import type { Json } from "../../ground/message.ts"

/**
 * How many subagent runs steps need at the least, as far as that is known before they begin. What depends on results that
 * are not there yet counts as nothing.
 */
export function leastSpawns(steps: readonly PipelineStep[], scope: Scope): number {
  let count = 0
  for (const step of steps) if (isSure(step, scope)) count += spawnsOf(step, scope)
  return count
}

function spawnsOf(step: PipelineStep, scope: Scope): number {
  if ("parallel" in step) return leastSpawns(step.parallel, scope)
  if ("loop" in step) return leastSpawns(step.steps, { ...scope, round: 1 })
  if ("map" in step)
    return typeof step.map === "string" ? ofExpression(step, step.map, scope) : ofList(step, scope)
  return "agent" in step ? 1 : 0
}

type MapStep = Extract<PipelineStep, { map: unknown }>

function ofExpression(step: MapStep, expression: string, scope: Scope): number {
  if (!isKnown(expression)) return 0
  const list = workOut(expression, scope)
  return "value" in list && Array.isArray(list.value) ? spawnsOfItems(step, list.value, scope) : 0
}

function ofList(step: MapStep, scope: Scope): number {
  const list = fillValue(step.map as Json, scope)
  // Whatever its items come to, there are so many.
  const items = "value" in list && Array.isArray(list.value) ? list.value : (step.map as readonly Json[])
  return spawnsOfItems(step, items, scope)
}

/** How many runs the items of a map need at the least. */
export function spawnsOfItems(step: MapStep, items: readonly Json[], scope: Scope): number {
  const { steps, as = "item" } = step
  if (!steps) return items.length
  let count = 0
  for (const [index, item] of items.entries()) count += leastSpawns(steps, { ...scope, [as]: item, index })
  return count
}

const isSure = ({ when }: PipelineStep, scope: Scope): boolean => {
  if (when === undefined) return true
  if (!isKnown(when)) return false
  const holds = isSo(when, scope)
  return "value" in holds && holds.value
}

/** Whether an expression asks for nothing that steps give. */
function isKnown(expression: string): boolean {
  const read = readExpression(expression)
  return read.type === "read" && read.references.every(({ name }) => name !== "steps" && name !== "previous")
}
