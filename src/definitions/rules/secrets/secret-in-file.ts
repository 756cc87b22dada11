import type { DiagnosticRule } from "../rule.ts"

export const secretInFile: DiagnosticRule = {
  code: "secret-in-file",
  severity: "warning",
  title: "A key of a provider in the file",
  why: "Definitions are shown, shared and kept with runs, so it is not read.",
  fix: "Put the key where the provider is configured, and change it if the file was ever shared.",
  example: {
    file: "specs/reviewer.md",
    format: "subagent-spec",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nllmConfig: {driver: openai, model: gpt-6-sol, apiKey: not-a-key}\n---\n\nReview the changes.\n",
  },
}
