import type { DiagnosticRule } from "../rule.ts"

export const toolSchemaMissing: DiagnosticRule = {
  code: "tool-schema-missing",
  severity: "error",
  title: "A tool without parameters",
  why: "The parameters cannot be derived from the script yet, so the agent cannot run.",
  fix: "Write the JSON Schema of its arguments as `parameters`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - tool_name: submit_result\n    tool_description: Submits the result.\n    pym: submit.pym\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
