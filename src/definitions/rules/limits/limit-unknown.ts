import type { DiagnosticRule } from "../rule.ts"

export const limitUnknown: DiagnosticRule = {
  code: "limit-unknown",
  severity: "error",
  title: "A limit that does not exist",
  why: "An unknown limit stops nothing, although the file says that it does.",
  fix: "Use one of the limits that the message lists.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nlimits: {maxTurn: 10}\n---\n\nReview the changes.\n",
  },
}
