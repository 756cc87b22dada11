import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const stepDuplicate: DiagnosticRule = {
  code: "step-duplicate",
  severity: "error",
  title: "Two steps with one name",
  why: "Transitions and the log name a step, so they could not tell the two apart.",
  fix: "Give each step its own name.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n    - name: implement\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "step-duplicate"),
}
