import type { DiagnosticRule } from "../rule.ts"

export const instructionsMissing: DiagnosticRule = {
  code: "instructions-missing",
  severity: "warning",
  title: "An agent without instructions",
  why: "The text below the front matter is its system prompt; without it the agent is any model with a name. Where the format requires it, it is an error.",
  fix: "Write below the front matter what the agent is to do.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\n---\n\n",
  },
}
