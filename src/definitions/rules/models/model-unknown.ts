import type { DiagnosticRule } from "../rule.ts"

export const modelUnknown: DiagnosticRule = {
  code: "model-unknown",
  severity: "error",
  title: "A text that names no model",
  why: "A run whose model cannot be resolved fails before its first request. Some hosts silently use another model. Runs of acai's files use the default model and say so.",
  fix: "Name a preset of the configuration, `provider:model`, a full model id or `inherit`. Or leave it out to use the caller's model.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\nmodel: the best one you have\n---\n\nPlan the work.\n",
  },
}
