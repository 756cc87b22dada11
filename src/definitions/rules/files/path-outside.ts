import type { DiagnosticRule } from "../rule.ts"

export const pathOutside: DiagnosticRule = {
  code: "path-outside",
  severity: "error",
  title: "A path that leads out of the folder",
  why: "Files outside the folder of the agents are neither read nor run.",
  fix: "Move the file into the folder.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: submit_result\n    pym: ../submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [{ file: "agents/submit.pym", text: "submit(input)\n" }],
  },
}
