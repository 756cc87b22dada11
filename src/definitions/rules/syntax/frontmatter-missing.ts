import type { DiagnosticRule } from "../rule.ts"

export const frontmatterMissing: DiagnosticRule = {
  code: "frontmatter-missing",
  severity: "error",
  title: "A file without front matter",
  why: "Nothing names the agent or says when to use it. A README in a folder of agents is reported in the same way.",
  fix: "Begin the file with a line `---`, the keys, and another line `---`. Or move the file elsewhere.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "# Reviewer\n\nReview the changes.\n",
  },
}
