import type { Proof } from "../../../run/drive/proof.ts"
import type { RunEvent, RunStep } from "../../../run/log/event.ts"

/** The step that an event leads a run to; undefined where it stays where it is. */
export function stepOf(event: RunEvent): RunStep | undefined {
  switch (event.type) {
    case "hook-end":
    case "moment-end":
      return event.step
    case "tool-end":
      return event.hooks?.step
    default:
      return undefined
  }
}

/** `plan → build`, or where it begins. */
export const stepText = ({ name, via = [name], complete }: RunStep): string =>
  `${via.join(" → ")}${complete ? ", the workflow is complete" : ""}`

/** Where a run has got to in its workflow. */
export const workflowText = ({ name, version, step, status }: NonNullable<Proof["workflow"]>): string =>
  `Workflow ${name}${version === undefined ? "" : ` ${version}`}: ${status}, in the step ${step}.`
