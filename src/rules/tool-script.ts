import { scriptToolsProblem } from "../catalogue/script-tools.ts"
import { definedTools } from "./named-tool.ts"
import { at, type DiagnosticRule } from "./rule.ts"

export const toolScript: DiagnosticRule = {
  code: "tool-script",
  severity: "error",
  title: "A tool that is a script",
  why: "Scripts are not run yet. An agent that was started without its tools could not do its work, so it is not started.",
  fix: "Take the tool out of the list, or give the program that runs the agent a tool of that name.",
  example: {
    file: "agents/linter_subagent.yaml",
    text: 'name: linter\nmodel_id: qwen3-4b\ninitial_context:\n  system_prompt: Lint the node.\n  node_context: "{{ node_text }}"\ntools:\n  - name: run_linter\n    pym: run_linter.pym\n    description: Runs the linter.\n    parameters: {type: object, additionalProperties: false}\n  - name: submit_result\n    pym: submit.pym\n    description: Submits the result.\n    parameters: {type: object, additionalProperties: false}\n',
    beside: [
      { file: "agents/run_linter.pym", text: "run()\n" },
      { file: "agents/submit.pym", text: "submit(input)\n" },
    ],
  },
  check(subject, { tools }) {
    const scripts = definedTools(subject)
    const message = scripts.length > 0 ? scriptToolsProblem({ ...subject.agent, scripts }, tools) : undefined
    if (message !== undefined) subject.report({ message, at: at(subject, "toolDefinitions") })
  },
}
