import type { DiagnosticRule } from "./rule.ts"
import { reportProblems } from "./workflow-of.ts"

export const workflowUnheard: DiagnosticRule = {
  code: "workflow-unheard",
  severity: "warning",
  title: "An action of a workflow that is not followed",
  why: "Gobby has actions of its own, such as calls of its server. They are passed over here, and what they were for does not happen.",
  fix: "Write it as an effect that there is, or remove it unless the file is also used with Gobby.",
  example: {
    file: ".gobby/agents/developer.yaml",
    text: "name: developer\ndescription: Develops features.\ninstructions: Develop the feature.\nsteps:\n  - name: plan\n    on_enter:\n      - action: call_mcp_tool\n        server_name: gobby-tasks\n",
  },
  check: (subject) => reportProblems(subject, "workflow-unheard"),
}
