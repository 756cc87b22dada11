import { looseEnds } from "../../workflow/ways.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { workflowOf, workflowPlace } from "./workflow-of.ts"

export const stepUnreachable: DiagnosticRule = {
  code: "step-unreachable",
  severity: "warning",
  title: "A step that nothing leads to",
  why: "A run begins in the first step and goes where transitions and `exit_when` lead: nobody gets to this one.",
  fix: "Add a transition that leads there, an `exit_when` to the step before it, or remove it.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n    - name: terminate\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject) {
    const workflow = workflowOf(subject)?.workflow
    if (!workflow) return
    for (const { step, index, type } of looseEnds(workflow))
      if (type === "unreachable")
        subject.report({
          message: `Nothing leads to the step \`${shown(step)}\`: no transition names it, and the step before it has no \`exit_when\`.`,
          at: workflowPlace(subject, { path: ["steps", index, "name"] }),
        })
  },
}
