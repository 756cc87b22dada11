import type { DiagnosticRule } from "../rule.ts"

export const templateInvalid: DiagnosticRule = {
  code: "template-invalid",
  severity: "error",
  title: "An invalid template",
  why: "The first message of the agent cannot be built, so the agent cannot run.",
  fix: "Correct the place that the message names.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text"\ntools:\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
