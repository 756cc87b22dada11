import type { DiagnosticRule } from "../rule.ts"

export const instructionsMissing: DiagnosticRule = {
  code: "instructions-missing",
  severity: "warning",
  title: "An agent without instructions",
  why: "The text below the front matter is the system prompt. Without it, the agent is only a model with a name. If the format requires instructions, it is an error.",
  fix: "Write below the front matter what the agent should do.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\n---\n\n",
  },
}
