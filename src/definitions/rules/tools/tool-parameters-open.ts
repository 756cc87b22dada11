import type { DiagnosticRule } from "../rule.ts"

export const toolParametersOpen: DiagnosticRule = {
  code: "tool-parameters-open",
  severity: "warning",
  title: "Tool parameters that allow unknown arguments",
  why: "A model may send arguments that the script does not know, and a provider's strict mode refuses the schema.",
  fix: "Set `additionalProperties: false`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
