import type { DiagnosticRule } from "../rule.ts"

export const textBinary: DiagnosticRule = {
  code: "text-binary",
  severity: "error",
  title: "A file that is not text",
  why: "It contains a NUL character, which no definition does.",
  fix: "Save it as plain UTF-8 text, or move it out of the folder.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: review\u0000er\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
  },
}
