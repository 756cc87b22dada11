import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineName: DiagnosticRule = {
  code: "pipeline-name",
  severity: "error",
  title: "An unknown name in a step",
  why: "Steps see the inputs and the results of the steps before them. This step would see nothing, or fail when its turn comes.",
  fix: "Write one of the names that the message lists, or move the step after the one that it needs.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\ninputs: {version: string}\npipeline:\n  - id: build\n    agent: worker\n    prompt: Build {{ inputs.verson }}.\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-name"),
}
