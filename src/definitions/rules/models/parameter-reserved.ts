import type { DiagnosticRule } from "../rule.ts"

export const parameterReserved: DiagnosticRule = {
  code: "parameter-reserved",
  severity: "warning",
  title: "A parameter that the runtime sets itself",
  why: "Which model, messages, tools and stream a request has is decided by the run, not by parameters.",
  fix: "Remove it; the model is set with `model`, the tools with `tools`.",
  example: {
    file: ".codex/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel_config: {model: gpt-6-sol, parameters: {stream: false}}\n---\n\nReview the changes.\n",
  },
}
