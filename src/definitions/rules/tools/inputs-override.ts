import type { DiagnosticRule } from "../rule.ts"

export const inputsOverride: DiagnosticRule = {
  code: "inputs-override",
  severity: "warning",
  title: "A change to an input that the script declares otherwise",
  why: "The model is told what the definition says. The script may get a value that it does not expect.",
  fix: "Correct the name, type, default or `required` in `inputs_override`, or change the script.",
  example: {
    file: "agents/reviewer_subagent.yaml",
    text: 'name: reviewer\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Review the node.\n  node_context: "{{ node_text }}"\ntools:\n  - tool_name: submit_result\n    tool_description: Submits the result.\n    pym: submit.pym\n    inputs_override:\n      sumary: { description: One sentence. }\n',
    beside: [
      {
        file: "agents/submit.pym",
        text: 'from grail import Input\n\nsummary: str = Input("summary")\n\nsummary\n',
      },
    ],
  },
}
