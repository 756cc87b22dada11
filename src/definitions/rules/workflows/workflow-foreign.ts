import type { DiagnosticRule } from "../rule.ts"
import { reportProblems } from "./workflow-of.ts"

export const workflowForeign: DiagnosticRule = {
  code: "workflow-foreign",
  severity: "error",
  title: "A workflow of Gobby's with something that cannot be followed here",
  why: "What it says may forbid something, so an agent that has it does not start. Others do.",
  fix: "Do what is told: bring the rules that the file imports, or write it as steps can say it here.",
  example: {
    file: ".gobby/agents/developer.yaml",
    text: "name: developer\ndescription: Develops features.\ninstructions: Develop the feature.\nsteps:\n  - name: work\n    check_rules: [no_push]\n",
  },
  about: "workflow",
  check: (subject) => reportProblems(subject, "workflow-foreign"),
}
