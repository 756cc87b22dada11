import type { DiagnosticRule } from "../rule.ts"

export const modelConflict: DiagnosticRule = {
  code: "model-conflict",
  severity: "error",
  title: "Two different models",
  why: "It is unclear which one is meant. Where the format says which one wins, it is a warning.",
  fix: "Remove one of the two.",
  example: {
    file: ".codex/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: gpt-6-sol\nmodel_config: {model: gpt-6-luna}\n---\n\nReview the changes.\n",
  },
}
