import { knownNames } from "../errors.ts"
import { at, type DiagnosticRule } from "./rule.ts"

export const workflowUnknown: DiagnosticRule = {
  code: "workflow-unknown",
  severity: "warning",
  title: "A workflow that is not there",
  why: "An agent that names a workflow does not start without it: it may say what the agent must not do.",
  fix: "Write the name of a workflow that is there, add it to `.cadre/workflows/`, or write its steps out in the definition.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow: developmnt\n---\n\nDevelop the feature.\n",
  },
  check(subject, { workflows }) {
    const { workflow } = subject.agent
    if (!workflows || typeof workflow !== "string") return
    const names = workflows()
    if (names.has(workflow)) return
    subject.report({
      message: `There is no workflow \`${workflow}\`, so the agent cannot start. ${knownNames(workflow, names)}`,
      at: at(subject, "workflow"),
    })
  },
}
