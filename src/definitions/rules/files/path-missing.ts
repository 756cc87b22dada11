import type { DiagnosticRule } from "../rule.ts"

export const pathMissing: DiagnosticRule = {
  code: "path-missing",
  severity: "warning",
  title: "A file that does not exist",
  why: "The tool that needs it fails when it is called.",
  fix: "Add the file, or correct the path.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
  },
}
