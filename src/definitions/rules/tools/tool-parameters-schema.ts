import type { DiagnosticRule } from "../rule.ts"

export const toolParametersSchema: DiagnosticRule = {
  code: "tool-parameters-schema",
  severity: "error",
  title: "Tool parameters that are not a valid JSON Schema",
  why: "No arguments can be checked against it, and providers refuse it.",
  fix: "Correct the place that the message names.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false, properties: {text: {type: words}}}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
