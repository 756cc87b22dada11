import type { DiagnosticRule } from "../rule.ts"
import { reportProblems } from "./workflow-of.ts"

export const workflowUnheard: DiagnosticRule = {
  code: "workflow-unheard",
  severity: "warning",
  title: "Something in a workflow of Gobby's that nothing comes of",
  why: "Gobby has actions of its own, such as calls of its server, and takes a condition with an unknown name for one that does not hold. They are passed over here, and what they were for does not happen.",
  fix: "Write it as an effect that there is, or with a name that is known; or leave it, if the file is also used with Gobby.",
  example: {
    file: ".gobby/agents/developer.yaml",
    text: "name: developer\ndescription: Develops features.\ninstructions: Develop the feature.\nsteps:\n  - name: plan\n    on_enter:\n      - action: call_mcp_tool\n        server_name: gobby-tasks\n",
  },
  about: "workflow",
  check: (subject) => reportProblems(subject, "workflow-unheard"),
}
