import { reportPipeline } from "./pipeline-findings.ts"
import type { DiagnosticRule } from "./rule.ts"

export const pipelineAgent: DiagnosticRule = {
  code: "pipeline-agent",
  severity: "error",
  title: "A step for an agent that does not exist",
  why: "The pipeline would stop at this step, after the work of those before it was paid for.",
  fix: "Write the name of an agent that exists, or add the one that is missing.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - id: build\n    agent: wroker\n    prompt: Build it.\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-agent"),
}
