import type { DiagnosticRule } from "../rule.ts"

export const listDuplicate: DiagnosticRule = {
  code: "list-duplicate",
  severity: "error",
  title: "An entry that is listed twice",
  why: "The format's own tool refuses the file.",
  fix: "Remove one of the two.",
  example: {
    file: ".codex/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ntools: [Read, Grep, Read]\n---\n\nReview the changes.\n",
  },
}
