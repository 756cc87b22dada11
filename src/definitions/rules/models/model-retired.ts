import type { DiagnosticRule } from "../rule.ts"

export const modelRetired: DiagnosticRule = {
  code: "model-retired",
  severity: "warning",
  title: "A model that its provider no longer serves",
  why: "Its provider answers every request with an error, so a run fails at its first request. A model with less than 60 days left is reported as information.",
  fix: "Write the model with which the provider replaces the retired model. `cadre check --fix` writes it, if the provider has named one. Then try the agent.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: claude-3-opus-20240229\n---\n\nReview the changes.\n",
  },
}
