import type { DiagnosticRule } from "../rule.ts"
import { reportProblems } from "./workflow-of.ts"

export const workflowInvalid: DiagnosticRule = {
  code: "workflow-invalid",
  severity: "error",
  title: "A workflow that cannot be followed",
  why: "What a workflow says may forbid something. Nothing runs under one that nobody can read.",
  fix: "Mend what is told. The keys, conditions and effects of workflows are in docs/workflows.md.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: plan\n      exit_when: vars.planned and\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportProblems(subject, "workflow-invalid"),
}
