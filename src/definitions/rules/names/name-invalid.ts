import type { DiagnosticRule } from "../rule.ts"

export const nameInvalid: DiagnosticRule = {
  code: "name-invalid",
  severity: "error",
  title: "A name that the format does not allow",
  why: "The format's own tool skips the file, or cannot be asked to use the agent.",
  fix: "Rename the agent as the message says.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: '---\nname: "-reviewer"\ndescription: Reviews changes.\n---\n\nReview the changes.\n',
  },
}
