import type { DiagnosticRule } from "../rule.ts"

export const keySuperseded: DiagnosticRule = {
  code: "key-superseded",
  severity: "warning",
  title: "A key that another one makes void",
  why: "It reads as if it were part of the prompt, and no model ever sees it.",
  fix: "Move what it says to the key that holds.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\nprompts: {agent: Review the changes.}\nrole: A reviewer.\n",
  },
}
