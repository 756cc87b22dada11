import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineDuplicate: DiagnosticRule = {
  code: "pipeline-duplicate",
  severity: "error",
  title: "Two steps with one id",
  why: "A later step could not say which of them it means by `steps.ID`.",
  fix: "Give each step its own id, including the steps inside other steps.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - {id: build, agent: worker, prompt: Build it.}\n  - {id: build, agent: worker, prompt: Build it again.}\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-duplicate"),
}
