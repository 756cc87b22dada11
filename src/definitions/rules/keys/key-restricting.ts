import type { DiagnosticRule } from "../rule.ts"

export const keyRestricting: DiagnosticRule = {
  code: "key-restricting",
  severity: "error",
  title: "A restriction under an unknown key",
  why: "The file restricts the agent, but the restriction has no effect. The agent would have more rights than its file says.",
  fix: "Rename the key as suggested, or remove it if you do not want the restriction.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nallowed_tools: Read, Grep\n---\n\nReview the changes.\n",
  },
}
