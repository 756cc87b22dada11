import type { DiagnosticRule } from "../rule.ts"

export const submitResult: DiagnosticRule = {
  code: "submit-result",
  severity: "error",
  title: "Not exactly one `submit_result`",
  why: "This tool defines what a result looks like. Without it, no run could end with a result; with two, it is unclear which one counts.",
  fix: "Define it once.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
