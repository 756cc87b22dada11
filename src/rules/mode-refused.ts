import type { DiagnosticRule } from "./rule.ts"

export const modeRefused: DiagnosticRule = {
  code: "mode-refused",
  severity: "error",
  title: "A mode that agents are not started in",
  why: "An agent that is meant for a terminal, or for another program, is not started here instead.",
  fix: "Write `mode: headless`, or `self` where a run that calls it is to take it on, or leave it out.",
  example: {
    file: ".cadre/agents/pilot.md",
    text: "---\nname: pilot\ndescription: Works in a terminal.\nmode: terminal\n---\n\nWork.\n",
  },
}
