import type { DiagnosticRule } from "../rule.ts"

export const limitUnsupported: DiagnosticRule = {
  code: "limit-unsupported",
  severity: "warning",
  title: "A limit of another host that has no effect here",
  why: "The limit is kept in the file, but it stops nothing here.",
  fix: "Use a limit that exists here.",
  example: {
    file: "specs/reviewer.md",
    format: "subagent-spec",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nbudget: {deadline: 2030-01-01}\n---\n\nReview the changes.\n",
  },
}
