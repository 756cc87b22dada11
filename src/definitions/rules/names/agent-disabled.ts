import type { DiagnosticRule } from "../rule.ts"

export const agentDisabled: DiagnosticRule = {
  code: "agent-disabled",
  severity: "info",
  title: "An agent that its own tool does not offer",
  why: "Here it is hidden: neither people nor models are offered it, and it can still be named.",
  fix: "Nothing, where it is meant. Otherwise set `enabled: true`.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\nenabled: false\ninstructions: Review the changes.\n",
  },
}
