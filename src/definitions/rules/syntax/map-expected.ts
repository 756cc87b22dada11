import type { DiagnosticRule } from "../rule.ts"

export const mapExpected: DiagnosticRule = {
  code: "map-expected",
  severity: "error",
  title: "A list or text where keys and values belong",
  why: "No key can be read, so there is no agent.",
  fix: "Write `key: value` lines.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\n- reviewer\n- Reviews changes.\n---\n\nReview the changes.\n",
  },
}
