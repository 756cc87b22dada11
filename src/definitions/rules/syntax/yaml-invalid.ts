import type { DiagnosticRule } from "../rule.ts"

export const yamlInvalid: DiagnosticRule = {
  code: "yaml-invalid",
  severity: "error",
  title: "Front matter that is no YAML",
  why: "What cannot be read cannot be checked, and most hosts skip such a file without a word.",
  fix: "Correct the line that is named. Values that hold `: `, `#` or quotes are safest in quotes or below `>-`.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname reviewer\ndescription Reviews: changes: all of them\n---\n\nReview the changes.\n",
  },
}
