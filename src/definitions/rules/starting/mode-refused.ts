import type { DiagnosticRule } from "../rule.ts"

export const modeRefused: DiagnosticRule = {
  code: "mode-refused",
  severity: "error",
  title: "A mode in which agents are not started",
  why: "An agent that is meant for a terminal or for another program is not started here. An agent with `mode: self` is taken on by its caller's run. Hooks, an executor and whatever else only a start gives are not possible there, so every call of such an agent is refused.",
  fix: "Write `mode: headless`, or leave it out. Write `self` if the caller's run is to take the agent on, and then remove what the message names.",
  example: {
    file: ".cadre/agents/pilot.md",
    text: "---\nname: pilot\ndescription: Works in a terminal.\nmode: terminal\n---\n\nWork.\n",
  },
}
