import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineUnbounded: DiagnosticRule = {
  code: "pipeline-unbounded",
  severity: "error",
  title: "A loop without a `max`",
  why: "If the condition never holds, the loop would run forever and cost money in every round.",
  fix: "Give the loop a `max`.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - id: again\n    loop: {until: steps.test.output == 'ok'}\n    steps:\n      - {id: test, agent: worker, prompt: Test it.}\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-unbounded"),
}
