import type { DiagnosticRule } from "../rule.ts"

export const limitInvalid: DiagnosticRule = {
  code: "limit-invalid",
  severity: "error",
  title: "A limit that is not a positive number",
  why: "0, negative numbers and words limit nothing, and none of them means unlimited.",
  fix: "Write a positive number, or leave the limit out to use the default.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nlimits: {maxTurns: 0}\n---\n\nReview the changes.\n",
  },
}
