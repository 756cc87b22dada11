import type { DiagnosticRule } from "../rule.ts"

export const keySuperseded: DiagnosticRule = {
  code: "key-superseded",
  severity: "warning",
  title: "A key that another key overrides",
  why: "It looks like part of the prompt, but no model ever sees it.",
  fix: "Move its text to the key that takes effect.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\nprompts: {agent: Review the changes.}\nrole: A reviewer.\n",
  },
}
