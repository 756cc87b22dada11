import type { DiagnosticRule } from "../rule.ts"

export const keyNearMiss: DiagnosticRule = {
  code: "key-near-miss",
  severity: "warning",
  title: "A key that is almost a known key",
  why: "The key was meant to say something, but it has no effect.",
  fix: "Rename it as suggested.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ncolour: blue\n---\n\nReview the changes.\n",
  },
}
