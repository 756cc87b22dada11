import type { DiagnosticRule } from "../rule.ts"

export const modelRetired: DiagnosticRule = {
  code: "model-retired",
  severity: "warning",
  title: "A model that its provider no longer serves",
  why: "Its provider answers every request with an error, so a run fails at its first one. Of a model with less than 60 days left it is told for your information.",
  fix: "Write the model that its provider names in its place, and try the agent with it. `cadre check --fix` writes it.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: claude-3-opus-20240229\n---\n\nReview the changes.\n",
  },
}
