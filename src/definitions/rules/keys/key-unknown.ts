import type { DiagnosticRule } from "../rule.ts"

export const keyUnknown: DiagnosticRule = {
  code: "key-unknown",
  severity: "info",
  title: "An unknown key, which has no effect",
  why: "It is kept and written back, but nothing here reads it. If the format refuses unknown keys, it is an error.",
  fix: "Remove it, or keep it for the tool that reads it.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nowner: platform-team\n---\n\nReview the changes.\n",
  },
}
