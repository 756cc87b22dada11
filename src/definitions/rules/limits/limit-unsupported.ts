import type { DiagnosticRule } from "../rule.ts"

export const limitUnsupported: DiagnosticRule = {
  code: "limit-unsupported",
  severity: "warning",
  title: "A limit of another host that bounds nothing here",
  why: "It is kept and stops nothing.",
  fix: "Say it with a limit that exists here.",
  example: {
    file: "specs/reviewer.md",
    format: "subagent-spec",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nbudget: {deadline: 2030-01-01}\n---\n\nReview the changes.\n",
  },
}
