import type { DiagnosticRule } from "../rule.ts"

export const jsonInvalid: DiagnosticRule = {
  code: "json-invalid",
  severity: "error",
  title: "A JSON file that is no JSON",
  why: "Nothing of the file can be read, so there is no agent.",
  fix: "Correct the place that is named; comments and trailing commas are not part of JSON.",
  example: {
    file: ".cadre/agents/reviewer.json",
    text: '{ "name": "reviewer", "description": "Reviews changes.", }\n',
  },
}
