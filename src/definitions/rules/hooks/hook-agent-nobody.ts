import type { DiagnosticRule } from "../rule.ts"

export const hookAgentNobody: DiagnosticRule = {
  code: "hook-agent-nobody",
  severity: "error",
  title: "A hook that forbids something to an agent that does not exist",
  why: "No run is of that agent, so the hook forbids nothing. While such a hook is in a file of hooks, nothing starts.",
  fix: "Write the name of an agent that exists, or leave `agents` out to mean all agents.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - tools: Bash\n      agents: laed\n      block: The lead runs nothing.\n---\n\nLead the work.\n",
  },
}
