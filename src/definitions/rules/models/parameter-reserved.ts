import type { DiagnosticRule } from "../rule.ts"

export const parameterReserved: DiagnosticRule = {
  code: "parameter-reserved",
  severity: "warning",
  title: "A parameter that the runtime sets itself",
  why: "The run itself decides the model, the messages, the tools and the streaming of a request.",
  fix: "Remove it. Set the model with `model` and the tools with `tools`.",
  example: {
    file: ".codex/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nmodel_config: {model: gpt-6-sol, parameters: {stream: false}}\n---\n\nReview the changes.\n",
  },
}
