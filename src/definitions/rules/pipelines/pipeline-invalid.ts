import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineInvalid: DiagnosticRule = {
  code: "pipeline-invalid",
  severity: "error",
  title: "An invalid step",
  why: "It is unclear what the step should do, so the pipeline does not run.",
  fix: "Write the step as the message says. The page on pipelines describes every kind of step.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - {id: build, agent: worker, promt: Build it.}\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-invalid"),
}
