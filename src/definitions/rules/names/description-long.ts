import type { DiagnosticRule } from "../rule.ts"

export const descriptionLong: DiagnosticRule = {
  code: "description-long",
  severity: "error",
  title: "A description that is too long",
  why: "The format's own tool refuses it. The descriptions of all agents are part of every request that can delegate.",
  fix: "Say in one or two sentences when to use the agent. Text for the agent itself belongs in the instructions.",
  example: {
    file: ".acai/subagents/reviewer.md",
    text: `---\nname: reviewer\ndescription: Reviews changes.${" Reviews them again.".repeat(60)}\n---\n\nReview the changes.\n`,
  },
}
