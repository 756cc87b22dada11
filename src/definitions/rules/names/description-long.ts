import type { DiagnosticRule } from "../rule.ts"

export const descriptionLong: DiagnosticRule = {
  code: "description-long",
  severity: "error",
  title: "A description that is too long",
  why: "The format's own tool refuses it; descriptions of all agents are part of every request that may delegate.",
  fix: "Say in a sentence or two when the agent is to be used; what is meant for the agent itself goes into the instructions.",
  example: {
    file: ".acai/subagents/reviewer.md",
    text: `---\nname: reviewer\ndescription: Reviews changes.${" Reviews them again.".repeat(60)}\n---\n\nReview the changes.\n`,
  },
}
