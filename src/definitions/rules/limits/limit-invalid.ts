import type { DiagnosticRule } from "../rule.ts"

export const limitInvalid: DiagnosticRule = {
  code: "limit-invalid",
  severity: "error",
  title: "A limit that bounds nothing",
  why: "0, negative numbers and words are no bounds, and none of them ever means unlimited.",
  fix: "Write a positive number, or leave the limit out for the default.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nlimits: {maxTurns: 0}\n---\n\nReview the changes.\n",
  },
}
