import type { DiagnosticRule } from "../rule.ts"

export const skillUnknown: DiagnosticRule = {
  code: "skill-unknown",
  severity: "error",
  title: "A skill that is not there",
  why: "The skill's text is to be in the prompt before the first turn; where it is not there, the agent does not start.",
  fix: "Write the name of a skill that is there, add the skill, or remove it from the list.",
  example: {
    file: ".claude/agents/committer.md",
    text: "---\nname: committer\ndescription: Writes commits.\nskills: comit-messages\n---\n\nWrite the commit.\n",
  },
}
