import type { DiagnosticRule } from "../rule.ts"

export const lifecycleUnknown: DiagnosticRule = {
  code: "lifecycle-unknown",
  severity: "error",
  title: "A set of hooks that does not exist",
  why: "Its hooks might have forbidden something, so the agent does not start without them.",
  fix: "Write the name of a file in `.cadre/lifecycles` or `.gobby/workflows`, without its extension, or leave `lifecycle` out.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Leads the work.\nlifecycle: carefl\n---\n\nLead the work.\n",
    beside: [
      { file: ".cadre/lifecycles/careful.yaml", text: 'before_tool:\n  - { tools: Bash, block: "No." }\n' },
    ],
  },
}
