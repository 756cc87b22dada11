import type { DiagnosticRule } from "../rule.ts"

export const keyNearMiss: DiagnosticRule = {
  code: "key-near-miss",
  severity: "warning",
  title: "A key that looks like another one",
  why: "It was meant to say something, and it says nothing.",
  fix: "Rename it as suggested.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ncolour: blue\n---\n\nReview the changes.\n",
  },
}
