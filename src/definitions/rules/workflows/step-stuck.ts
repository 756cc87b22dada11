import { looseEnds } from "../../workflow/ways.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { workflowOf, workflowPlace } from "./workflow-of.ts"

export const stepStuck: DiagnosticRule = {
  code: "step-stuck",
  severity: "warning",
  title: "A step without a way out",
  why: "Nothing leads from it to where the workflow is complete, so a run that gets there never completes it.",
  fix: "Add a transition or an `exit_when`, or let `exit_condition` hold there.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: plan\n      transitions:\n        - { to: terminate, when: vars.trivial }\n        - { to: implement, when: vars.planned }\n    - name: implement\n    - name: terminate\n  exit_condition: current_step == 'terminate'\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject) {
    const workflow = workflowOf(subject)?.workflow
    if (!workflow) return
    for (const { step, index, type } of looseEnds(workflow))
      if (type === "stuck")
        subject.report({
          message: `Nothing leads from the step \`${shown(step)}\` to where the workflow is complete${workflow.exitCondition ? ": its `exit_condition` holds in no step that can be reached from there" : ""}.`,
          at: workflowPlace(subject, { path: ["steps", index, "name"] }),
        })
  },
}
