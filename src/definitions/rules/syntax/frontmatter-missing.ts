import type { DiagnosticRule } from "../rule.ts"

export const frontmatterMissing: DiagnosticRule = {
  code: "frontmatter-missing",
  severity: "error",
  title: "A file without front matter",
  why: "Nothing says what the agent is called or when it is used. A README in a folder of agents is reported this way too.",
  fix: "Begin the file with a line `---`, the keys, and another line `---`; or move the file elsewhere.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "# Reviewer\n\nReview the changes.\n",
  },
}
