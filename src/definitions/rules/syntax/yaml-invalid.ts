import type { DiagnosticRule } from "../rule.ts"

export const yamlInvalid: DiagnosticRule = {
  code: "yaml-invalid",
  severity: "error",
  title: "Front matter that is invalid YAML",
  why: "Invalid YAML cannot be checked, and most hosts silently skip such a file.",
  fix: "Correct the line that the message names. Values that contain `: `, `#` or quotes are safest in quotes or below `>-`.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname reviewer\ndescription Reviews: changes: all of them\n---\n\nReview the changes.\n",
  },
}
