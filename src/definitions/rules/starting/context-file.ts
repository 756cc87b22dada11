import type { DiagnosticRule } from "../rule.ts"

export const contextFile: DiagnosticRule = {
  code: "context-file",
  severity: "error",
  title: "A context file that cannot be sent",
  why: "The file belongs in the prompt before the first turn. If it cannot be read, or lies outside the project, the agent does not start.",
  fix: "Write the path of an existing file inside the project, or remove it from `context.files`.",
  example: {
    file: ".cadre/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\ncontext: { files: [docs/plan.md] }\n---\n\nPlan the work.\n",
  },
}
