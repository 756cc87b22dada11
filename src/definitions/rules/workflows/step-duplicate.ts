import type { DiagnosticRule } from "../rule.ts"
import { reportProblems } from "./workflow-of.ts"

export const stepDuplicate: DiagnosticRule = {
  code: "step-duplicate",
  severity: "error",
  title: "Two steps of one name",
  why: "A transition names the step that it leads to, and the log names the step that a run is in: which of the two is meant could not be told.",
  fix: "Give each step its own name.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n    - name: implement\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportProblems(subject, "step-duplicate"),
}
