import type { DiagnosticRule } from "../rule.ts"

export const keyDuplicate: DiagnosticRule = {
  code: "key-duplicate",
  severity: "error",
  title: "A key that is written twice",
  why: "Readers differ in which of the two they use, so one may grant something that another forbids.",
  fix: "Remove one of the two.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: opus\nmodel: haiku\n---\n\nReview the changes.\n",
  },
}
