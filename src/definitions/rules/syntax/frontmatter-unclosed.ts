import type { DiagnosticRule } from "../rule.ts"

export const frontmatterUnclosed: DiagnosticRule = {
  code: "frontmatter-unclosed",
  severity: "error",
  title: "Front matter that is never closed",
  why: "It is unclear where the keys end and the instructions begin.",
  fix: "Put a line `---` after the last key.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\n\nReview the changes.\n",
  },
}
