import type { DiagnosticRule } from "../rule.ts"

export const contextFile: DiagnosticRule = {
  code: "context-file",
  severity: "error",
  title: "A file of the context that cannot be sent",
  why: "The file is to be in the prompt before the first turn; where it cannot be read, or lies outside of the project, the agent does not start.",
  fix: "Write the path of a file that is there, inside of the project, or take it out of `context.files`.",
  example: {
    file: ".cadre/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\ncontext: { files: [docs/plan.md] }\n---\n\nPlan the work.\n",
  },
}
