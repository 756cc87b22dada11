import type { DiagnosticRule } from "../rule.ts"

export const workflowUnknown: DiagnosticRule = {
  code: "workflow-unknown",
  severity: "error",
  title: "A workflow that does not exist",
  why: "A workflow may say what the agent must not do, so the agent does not start without it.",
  fix: "Write the name of an existing workflow, add it to `.cadre/workflows/`, or write its steps in the definition.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow: developmnt\n---\n\nDevelop the feature.\n",
  },
}
