import type { DiagnosticRule } from "../rule.ts"

export const jsonInvalid: DiagnosticRule = {
  code: "json-invalid",
  severity: "error",
  title: "Invalid JSON",
  why: "Nothing in the file can be read, so there is no agent.",
  fix: "Correct the place that the message names. JSON allows neither comments nor trailing commas.",
  example: {
    file: ".cadre/agents/reviewer.json",
    text: '{ "name": "reviewer", "description": "Reviews changes.", }\n',
  },
}
