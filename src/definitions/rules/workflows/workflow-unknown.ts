import type { DiagnosticRule } from "../rule.ts"

export const workflowUnknown: DiagnosticRule = {
  code: "workflow-unknown",
  severity: "error",
  title: "A workflow that is not there",
  why: "An agent that names a workflow does not start without it: it may say what the agent must not do.",
  fix: "Write the name of a workflow that is there, add it to `.cadre/workflows/`, or write its steps out in the definition.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow: developmnt\n---\n\nDevelop the feature.\n",
  },
}
