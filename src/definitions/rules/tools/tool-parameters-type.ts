import type { DiagnosticRule } from "../rule.ts"

export const toolParametersType: DiagnosticRule = {
  code: "tool-parameters-type",
  severity: "error",
  title: "Tool parameters that are not an object",
  why: "A model sends arguments by name, so the schema of a tool's parameters must describe an object.",
  fix: "Set `type: object` and describe the arguments below `properties`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: string, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
