import type { DiagnosticRule } from "../rule.ts"

export const hookAgentNobody: DiagnosticRule = {
  code: "hook-agent-nobody",
  severity: "error",
  title: "A hook that forbids something to an agent that does not exist",
  why: "No run is ever one of that agent, so nothing is forbidden. Nothing starts while it stands in a file of hooks.",
  fix: "Write the name of an agent that exists, or leave `agents` out for all of them.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - tools: Bash\n      agents: laed\n      block: The lead runs nothing.\n---\n\nLead the work.\n",
  },
}
