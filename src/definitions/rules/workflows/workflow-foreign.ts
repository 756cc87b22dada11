import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const workflowForeign: DiagnosticRule = {
  code: "workflow-foreign",
  severity: "error",
  title: "A Gobby workflow with a part that cadre cannot follow",
  why: "That part may forbid something, so an agent with this workflow does not start. Other agents do.",
  fix: "Do what the message says: add the rules that the file imports, or write the part as steps that cadre supports.",
  example: {
    file: ".gobby/agents/developer.yaml",
    text: "name: developer\ndescription: Develops features.\ninstructions: Develop the feature.\nsteps:\n  - name: work\n    check_rules: [no_push]\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "workflow-foreign"),
}
