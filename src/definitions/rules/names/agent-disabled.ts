import type { DiagnosticRule } from "../rule.ts"

export const agentDisabled: DiagnosticRule = {
  code: "agent-disabled",
  severity: "info",
  title: "An agent that its own tool has switched off",
  why: "Here it is hidden: it is offered neither to people nor to models, but it can still be called by name.",
  fix: "Nothing to do if you meant it. Otherwise set `enabled: true`.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\nenabled: false\ninstructions: Review the changes.\n",
  },
}
