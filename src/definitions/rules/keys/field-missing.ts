import type { DiagnosticRule } from "../rule.ts"

export const fieldMissing: DiagnosticRule = {
  code: "field-missing",
  severity: "error",
  title: "A missing required key",
  why: "Without it, the format's own tool does not load the file.",
  fix: "Add the key. The message says what it is for.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\n---\n\nReview the changes.\n",
  },
}
