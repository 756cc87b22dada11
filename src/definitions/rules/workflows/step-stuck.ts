import { findLooseEnds } from "../../workflow/ways.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { locateInWorkflow, readOwnWorkflow } from "./workflow-of.ts"

export const stepStuck: DiagnosticRule = {
  code: "step-stuck",
  severity: "warning",
  title: "A step without a way out",
  why: "No path leads from it to the end of the workflow, so a run that gets there never completes the workflow.",
  fix: "Add a transition or an `exit_when`, or make `exit_condition` hold in this step.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: plan\n      transitions:\n        - { to: terminate, when: vars.trivial }\n        - { to: implement, when: vars.planned }\n    - name: implement\n    - name: terminate\n  exit_condition: current_step == 'terminate'\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject) {
    const workflow = readOwnWorkflow(subject)?.workflow
    if (!workflow) return
    for (const { step, index, type } of findLooseEnds(workflow))
      if (type === "stuck")
        subject.report({
          message: `No path leads from the step \`${shorten(step)}\` to the end of the workflow${workflow.exitCondition ? ": its `exit_condition` holds in no step that can be reached from there" : ""}.`,
          at: locateInWorkflow(subject, { path: ["steps", index, "name"] }),
        })
  },
}
