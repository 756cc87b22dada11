import type { DiagnosticRule } from "../rule.ts"

export const isolationRefused: DiagnosticRule = {
  code: "isolation-refused",
  severity: "error",
  title: "A place of its own that there is none of",
  why: "An agent that is to work apart never works in place instead, so it does not start.",
  fix: "Write `isolation: worktree`, or leave it out.",
  example: {
    file: ".cadre/agents/builder.md",
    text: "---\nname: builder\ndescription: Builds features.\nisolation: clone\n---\n\nBuild the feature.\n",
  },
}
