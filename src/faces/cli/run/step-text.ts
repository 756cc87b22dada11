import type { RunProof } from "../../../run/drive/proof.ts"
import type { RunEvent, RunStep } from "../../../run/log/event.ts"

/** The workflow step that an event moves a run to. Undefined if the run stays in its step. */
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

/** `plan → build`, or only the first step. */
export const stepPathText = ({ name, via = [name], complete }: RunStep): string =>
  `${via.join(" → ")}${complete ? ", the workflow is complete" : ""}`

/** The current step of a run in its workflow. */
export const describeWorkflowStep = ({
  name,
  version,
  step,
  status,
}: NonNullable<RunProof["workflow"]>): string =>
  `Workflow ${name}${version === undefined ? "" : ` ${version}`}: ${status}, in the step ${step}.`
