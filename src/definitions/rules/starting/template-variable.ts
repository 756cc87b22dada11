import type { DiagnosticRule } from "../rule.ts"

export const templateVariable: DiagnosticRule = {
  code: "template-variable",
  severity: "warning",
  title: "A variable or a template that Remora does not fill in",
  why: "Remora would leave the variable empty, and the model would see less than the author intended. Here a run that does not set it does not start. A template in `system_prompt` is never rendered, so the model gets the braces.",
  fix: "Use one of the variables that the message lists, or set it for each run with `--var`. Move a template from `system_prompt` to `node_context`.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ nodetext }}"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
