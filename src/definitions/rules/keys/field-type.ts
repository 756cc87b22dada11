import type { DiagnosticRule } from "../rule.ts"

export const fieldType: DiagnosticRule = {
  code: "field-type",
  severity: "error",
  title: "A value of the wrong kind",
  why: "A value that cannot be what its key means is not guessed at, because a guess may grant what was not meant.",
  fix: "Write the value as the message says; numbers and words such as `yes` are text only in quotes.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmaxTurns: many\n---\n\nReview the changes.\n",
  },
}
