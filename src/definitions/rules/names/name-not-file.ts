import type { DiagnosticRule } from "../rule.ts"

export const nameNotFile: DiagnosticRule = {
  code: "name-not-file",
  severity: "error",
  title: "A name that differs from the file's name",
  why: "This format finds agents by the name of their file, so the name in the file is never found.",
  fix: "Rename the file or the agent.",
  example: {
    file: ".acai/subagents/reviewer.md",
    text: "---\nname: code-reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
  },
}
