import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const stepUnknown: DiagnosticRule = {
  code: "step-unknown",
  severity: "error",
  title: "A transition to a step that does not exist",
  why: "When its condition holds, the transition leads nowhere, and the run stays where it is.",
  fix: "Write the name of a step of the same workflow, or add the step.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: plan\n      transitions:\n        - { to: implment, when: vars.planned }\n        - { to: implement, when: vars.skipped }\n    - name: implement\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "step-unknown"),
}
