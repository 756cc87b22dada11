import type { DiagnosticRule } from "../rule.ts"

export const modelUnknown: DiagnosticRule = {
  code: "model-unknown",
  severity: "error",
  title: "A model that cannot be one",
  why: "A run whose model cannot be resolved fails before its first request. Some hosts quietly take another model instead; runs of acai's files take the default one, and say so.",
  fix: "Name a preset of the configuration, `provider:model`, a full model id or `inherit`; or leave it out to use the caller's.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\nmodel: the best one you have\n---\n\nPlan the work.\n",
  },
}
