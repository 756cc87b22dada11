import type { DiagnosticRule } from "../rule.ts"

export const skillUnknown: DiagnosticRule = {
  code: "skill-unknown",
  severity: "error",
  title: "A skill that does not exist",
  why: "The skill's text belongs in the prompt before the first turn. Without it, the agent does not start.",
  fix: "Write the name of an existing skill, add the skill, or remove it from the list.",
  example: {
    file: ".claude/agents/committer.md",
    text: "---\nname: committer\ndescription: Writes commits.\nskills: comit-messages\n---\n\nWrite the commit.\n",
  },
}
