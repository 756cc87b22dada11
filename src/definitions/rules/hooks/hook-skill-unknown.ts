import type { DiagnosticRule } from "../rule.ts"

export const hookSkillUnknown: DiagnosticRule = {
  code: "hook-skill-unknown",
  severity: "error",
  title: "A hook that loads a skill that does not exist",
  why: "The model never gets the text that the author meant it to have.",
  fix: "Write the name of a skill that exists, or add the one that is missing.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - load_skill: comit-messages\n---\n\nLead the work.\n",
  },
}
