import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const workflowInvalid: DiagnosticRule = {
  code: "workflow-invalid",
  severity: "error",
  title: "An invalid workflow",
  why: "A workflow may forbid something, so no agent runs under one that cannot be read.",
  fix: "Fix what the message names. The keys, conditions and effects of workflows are in docs/guides/write-a-workflow.md.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: plan\n      exit_when: vars.planned and\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "workflow-invalid"),
}
