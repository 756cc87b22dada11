import type { DiagnosticRule } from "../rule.ts"

export const fieldType: DiagnosticRule = {
  code: "field-type",
  severity: "error",
  title: "A value of the wrong kind",
  why: "An invalid value is not guessed at, because a guess may grant more than the author meant.",
  fix: "Write the value as the message says. Numbers and words such as `yes` are text only in quotes.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmaxTurns: many\n---\n\nReview the changes.\n",
  },
}
