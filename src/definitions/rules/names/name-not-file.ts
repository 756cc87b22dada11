import type { DiagnosticRule } from "../rule.ts"

export const nameNotFile: DiagnosticRule = {
  code: "name-not-file",
  severity: "error",
  title: "A name that is not that of the file",
  why: "This format finds agents by the name of their file, so this one is never found by its own.",
  fix: "Rename the file or the agent.",
  example: {
    file: ".acai/subagents/reviewer.md",
    text: "---\nname: code-reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
  },
}
