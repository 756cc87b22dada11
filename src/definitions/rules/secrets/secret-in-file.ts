import type { DiagnosticRule } from "../rule.ts"

export const secretInFile: DiagnosticRule = {
  code: "secret-in-file",
  severity: "warning",
  title: "A provider's key in the file",
  why: "Definitions are shown, shared and stored with runs, so a key in them is not read.",
  fix: "Put the key where the provider is configured, and replace it if the file was ever shared.",
  example: {
    file: "specs/reviewer.md",
    format: "subagent-spec",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nllmConfig: {driver: openai, model: gpt-6-sol, apiKey: not-a-key}\n---\n\nReview the changes.\n",
  },
}
