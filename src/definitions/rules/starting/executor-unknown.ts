import type { DiagnosticRule } from "../rule.ts"

export const executorUnknown: DiagnosticRule = {
  code: "executor-unknown",
  severity: "error",
  title: "An executor that is not configured",
  why: "Which program an executor is stands in a configuration, and an agent whose executor stands in none does not start.",
  fix: "Write the name of an executor that is configured, or name its command below `executors:` in your config.yaml. Where it is configured elsewhere, turn the rule off: `rules: { executor-unknown: off }`.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nexecutor: claud\n---\n\nReview the changes.\n",
  },
}
