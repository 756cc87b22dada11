import type { JsonMap } from "../../ground/message.ts"
import { renderTemplate, type Template } from "../../language/template/index.ts"
import { allowedText } from "./allowed.ts"
import type { Step, Workflow } from "./workflow.ts"

/** Every text about a workflow that a model reads. */

/** Where a run is, and what it is to do there. */
export function stepText(
  workflow: Workflow,
  step: Step,
  offered: JsonMap,
): { readonly text: string; readonly problem?: string } {
  const { name, description, steps } = workflow
  const message = step.statusMessage && filled(step.statusMessage, offered)
  const lines = [
    `You are in the step '${step.name}' (${steps.indexOf(step) + 1} of ${steps.length}) of the workflow '${name}'.`,
    ...(description === undefined ? [] : [`The workflow: ${description.trim()}`]),
    ...(step.description === undefined ? [] : [`The step: ${step.description.trim()}`]),
    ...(message?.text === undefined ? [] : [message.text.trim()]),
    allowedText(step),
  ]
  return {
    text: lines.join("\n"),
    ...(message?.problem !== undefined && { problem: `\`status_message\` failed: ${message.problem}` }),
  }
}

/** Why a run may not end yet. */
export function objection(workflow: Workflow, step: Step, offered: JsonMap): string {
  const said = (step.onPrematureStop ?? workflow.onPrematureStop)?.message
  const message = said && filled(said, offered)
  const told = message?.text ?? "Do what this step is for before you give your final answer."
  return `The workflow '${workflow.name}' is not complete: you are in the step '${step.name}'.\n${told.trim()}`
}

function filled(template: Template, offered: JsonMap): { readonly text?: string; readonly problem?: string } {
  const rendered = renderTemplate(template, offered, { characters: 100_000 })
  return rendered.type === "text" ? { text: rendered.text } : { problem: rendered.problem.message }
}
