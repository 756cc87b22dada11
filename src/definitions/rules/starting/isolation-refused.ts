import type { DiagnosticRule } from "../rule.ts"

export const isolationRefused: DiagnosticRule = {
  code: "isolation-refused",
  severity: "error",
  title: "A kind of isolation that does not exist here",
  why: "An agent that asks for isolation never runs without it, so it does not start.",
  fix: "Write `isolation: worktree`, or leave it out.",
  example: {
    file: ".cadre/agents/builder.md",
    text: "---\nname: builder\ndescription: Builds features.\nisolation: clone\n---\n\nBuild the feature.\n",
  },
}
