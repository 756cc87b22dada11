import type { DiagnosticRule } from "./rule.ts"

export const templateVariable: DiagnosticRule = {
  code: "template-variable",
  severity: "warning",
  title: "A variable that nothing fills in",
  why: "It is left empty, so the model sees less than the author thought.",
  fix: "Use one of the variables that the message lists.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ nodetext }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
