import type { Pipeline, PipelineStep } from "../../agent/pipeline.ts"
import { writeDuration } from "../../definitions/formats/fields/duration.ts"
import { describeInputs } from "../../definitions/pipelines/inputs.ts"
import { cutToOneLine } from "./terminal/table.ts"

/** A pipeline for a reader: one line per step. Inner steps are indented below their outer step. */
export const describePipeline = ({ inputs, steps, outputs }: Pipeline): readonly string[] => [
  `task: ${inputs ? describeInputs(inputs) : "any text"}`,
  ...linesOf(steps, ""),
  ...(outputs ? [`outputs: ${Object.keys(outputs).join(", ")}`] : []),
]

function linesOf(steps: readonly PipelineStep[], indent: string): readonly string[] {
  return steps.flatMap((step, index) => [
    `${indent}${index + 1}. ${step.id}: ${doing(step)}${conditions(step)}`,
    ...linesOf(
      "parallel" in step ? step.parallel : "steps" in step ? (step.steps ?? []) : [],
      `${indent}   `,
    ),
  ])
}

function doing(step: PipelineStep): string {
  if ("parallel" in step) return "all at once"
  if ("map" in step) {
    const list = typeof step.map === "string" ? step.map : `${step.map.length} items`
    const most = step.at_once === undefined ? "" : `, ${step.at_once} at once`
    return `for each ${step.as ?? "item"} of ${list}${most}${step.agent === undefined ? "" : `: agent ${step.agent}`}`
  }
  if ("loop" in step) return `repeat until ${step.loop.until}, at most ${step.loop.max} times`
  if ("approval" in step) return `a person approves: ${cutToOneLine(step.approval, 60)}`
  if ("wait" in step) return `wait ${writeDuration(step.wait)}`
  return `agent ${step.agent}`
}

const conditions = ({ when, on_error }: PipelineStep): string =>
  `${when === undefined ? "" : ` (when ${when})`}${on_error === undefined ? "" : " (continues if it fails)"}`
