import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const stepDuplicate: DiagnosticRule = {
  code: "step-duplicate",
  severity: "error",
  title: "Two steps with one name",
  why: "A transition and the log refer to a step by its name, so two steps cannot have the same name.",
  fix: "Give the two steps different names.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n    - name: implement\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "step-duplicate"),
}
