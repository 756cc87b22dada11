import type { JsonMap } from "../../ground/message.ts"
import { renderTemplate, type Template } from "../../language/template/index.ts"
import { describeAllowedTools } from "./allowed.ts"
import type { Workflow, WorkflowStep } from "./workflow.ts"

/** Every text about a workflow that a model reads. */

/** Tells the model its step and what to do there. */
export function describeStep(
  workflow: Workflow,
  step: WorkflowStep,
  offered: JsonMap,
): { readonly text: string; readonly problem?: string } {
  const { name, description, steps } = workflow
  const message = step.statusMessage && filled(step.statusMessage, offered)
  const lines = [
    `You are in the step '${step.name}' (${steps.indexOf(step) + 1} of ${steps.length}) of the workflow '${name}'.`,
    ...(description === undefined ? [] : [`The workflow: ${description.trim()}`]),
    ...(step.description === undefined ? [] : [`The step: ${step.description.trim()}`]),
    ...(message?.text === undefined ? [] : [message.text.trim()]),
    describeAllowedTools(step),
  ]
  return {
    text: lines.join("\n"),
    ...(message?.problem !== undefined && { problem: `\`status_message\` failed: ${message.problem}` }),
  }
}

/** Tells the model why its run may not end yet. */
export function describeObjection(workflow: Workflow, step: WorkflowStep, offered: JsonMap): string {
  const stopMessage = (step.onPrematureStop ?? workflow.onPrematureStop)?.message
  const message = stopMessage && filled(stopMessage, offered)
  const advice = message?.text ?? "Complete this step before you give your final answer."
  return `The workflow '${workflow.name}' is not complete: you are in the step '${step.name}'.\n${advice.trim()}`
}

function filled(template: Template, offered: JsonMap): { readonly text?: string; readonly problem?: string } {
  const rendered = renderTemplate(template, offered, { characters: 100_000 })
  return rendered.type === "text" ? { text: rendered.text } : { problem: rendered.problem.message }
}
