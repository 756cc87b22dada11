import type { DiagnosticRule } from "../rule.ts"

export const modeRefused: DiagnosticRule = {
  code: "mode-refused",
  severity: "error",
  title: "A mode that agents are not started in",
  why: "An agent that is meant for a terminal, or for another program, is not started here instead. And a run that takes an agent on (`mode: self`) cannot get what only the start of a run can give it, such as hooks or an executor: every call of such an agent is refused.",
  fix: "Write `mode: headless`, or `self` where a run that calls it is to take it on, or leave it out. Beside `self`, take out what the message names.",
  example: {
    file: ".cadre/agents/pilot.md",
    text: "---\nname: pilot\ndescription: Works in a terminal.\nmode: terminal\n---\n\nWork.\n",
  },
}
