import type { DiagnosticRule } from "../rule.ts"

export const templateVariable: DiagnosticRule = {
  code: "template-variable",
  severity: "warning",
  title: "A variable or a template that Remora does not fill in",
  why: "Remora would leave it empty, and the model would see less than the author thought. Here a run that does not set it does not start. A template in `system_prompt` is rendered by nobody, and the model is sent its braces.",
  fix: "Use one of the variables that the message lists, or set it for each run with `--var`. Move a template of `system_prompt` to `node_context`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ nodetext }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
