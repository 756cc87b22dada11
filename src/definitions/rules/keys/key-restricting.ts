import type { DiagnosticRule } from "../rule.ts"

export const keyRestricting: DiagnosticRule = {
  code: "key-restricting",
  severity: "error",
  title: "A restriction under a key that nobody reads",
  why: "The file says that the agent may do less, and it is not heard: the agent would have more rights than it says.",
  fix: "Rename it as suggested, or remove it if the restriction is not meant.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nallowed_tools: Read, Grep\n---\n\nReview the changes.\n",
  },
}
