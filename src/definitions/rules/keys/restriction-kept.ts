import type { DiagnosticRule } from "../rule.ts"

export const restrictionKept: DiagnosticRule = {
  code: "restriction-kept",
  severity: "warning",
  title: "A restriction of another host that does not apply here",
  why: "The file says that the agent is confined. Here only its tools and the rules of the run confine it.",
  fix: "Narrow its tools, or set its isolation.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\nsandbox: {enabled: true}\ninstructions: Review the changes.\n",
  },
}
