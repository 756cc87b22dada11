import type { DiagnosticRule } from "../rule.ts"

export const modelInvalid: DiagnosticRule = {
  code: "model-invalid",
  severity: "error",
  title: "A model that is put together wrongly",
  why: "Part of a binding would be sent to the wrong provider or endpoint.",
  fix: "Give provider, model, endpoint and parameters as the message says, or a single name.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: {provider: anthropic, modell: claude-sonnet-5-5}\n---\n\nReview the changes.\n",
  },
}
