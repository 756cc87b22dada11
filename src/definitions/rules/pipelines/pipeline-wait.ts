import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineWait: DiagnosticRule = {
  code: "pipeline-wait",
  severity: "warning",
  title: "A wait that is longer than the run may take",
  why: "Waiting counts against the time limit of the run, so the run would time out.",
  fix: "Raise `limits.timeout`, or shorten the wait.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\nlimits: {timeout: 10m}\npipeline:\n  - {id: build, agent: worker, prompt: Build it.}\n  - {id: settle, wait: 1h}\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-wait"),
}
