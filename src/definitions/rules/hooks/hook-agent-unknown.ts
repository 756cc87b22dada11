import type { DiagnosticRule } from "../rule.ts"

export const hookAgentUnknown: DiagnosticRule = {
  code: "hook-agent-unknown",
  severity: "error",
  title: "A hook that names an agent that does not exist",
  why: "Every task that the hook hands to that agent is refused, and a hook for its runs never applies.",
  fix: "Write the name of an agent that exists, or add the one that is missing.",
  example: {
    file: ".cadre/agents/lead.md",
    text: '---\nname: lead\ndescription: Leads the work.\nhooks:\n  before_tool:\n    - tools: Bash\n      spawn_agent: { agent: runer, prompt: "{{ command }}" }\n---\n\nLead the work.\n',
  },
}
