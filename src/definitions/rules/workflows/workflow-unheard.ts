import type { DiagnosticRule } from "../rule.ts"
import { reportWorkflowProblems } from "./workflow-of.ts"

export const workflowUnheard: DiagnosticRule = {
  code: "workflow-unheard",
  severity: "warning",
  title: "A part of a Gobby workflow that has no effect here",
  why: "Gobby has its own actions, such as calls of its server, and a condition with an unknown name never holds. Such parts are skipped here, and what they were for does not happen.",
  fix: "Write it as an effect that cadre has, or with a known name. Leave it if the file is also used with Gobby.",
  example: {
    file: ".gobby/agents/developer.yaml",
    text: "name: developer\ndescription: Develops features.\ninstructions: Develop the feature.\nsteps:\n  - name: plan\n    on_enter:\n      - action: call_mcp_tool\n        server_name: gobby-tasks\n",
  },
  about: "workflow",
  check: (subject) => reportWorkflowProblems(subject, "workflow-unheard"),
}
