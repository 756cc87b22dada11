import type { DiagnosticRule } from "../rule.ts"

export const frontmatterUnclosed: DiagnosticRule = {
  code: "frontmatter-unclosed",
  severity: "error",
  title: "Front matter without an end",
  why: "Where the keys end and the instructions begin cannot be told.",
  fix: "Put a line `---` after the last key.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\n\nReview the changes.\n",
  },
}
