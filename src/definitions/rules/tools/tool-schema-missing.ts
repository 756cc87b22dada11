import type { DiagnosticRule } from "../rule.ts"

export const toolSchemaMissing: DiagnosticRule = {
  code: "tool-schema-missing",
  severity: "error",
  title: "A tool without parameters",
  why: "The script cannot be read or has an error, so its parameters are not known, and the agent does not start.",
  fix: "Repair the script, or write the JSON Schema of its arguments as `parameters`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - tool_name: submit_result\n    tool_description: Submits the result.\n    pym: submit.pym\n',
    beside: [{ file: "agents/submit.pym", text: "class Result:\n    pass\n" }],
  },
}
