import type { DiagnosticRule } from "../rule.ts"

export const modelInvalid: DiagnosticRule = {
  code: "model-invalid",
  severity: "error",
  title: "An invalid model",
  why: "A model that is only partly understood would be sent to the wrong provider or endpoint.",
  fix: "Write provider, model, endpoint and parameters as the message says, or a single name.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel: {provider: anthropic, modell: claude-sonnet-5-5}\n---\n\nReview the changes.\n",
  },
}
