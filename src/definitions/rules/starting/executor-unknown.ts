import type { DiagnosticRule } from "../rule.ts"

export const executorUnknown: DiagnosticRule = {
  code: "executor-unknown",
  severity: "error",
  title: "An executor that is not configured",
  why: "The configuration says which program an executor is. An agent whose executor is not configured does not start.",
  fix: "Write the name of a configured executor, or add its command below `executors:` in your config.yaml. If it is configured elsewhere, turn the rule off: `rules: { executor-unknown: off }`.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nexecutor: claud\n---\n\nReview the changes.\n",
  },
}
