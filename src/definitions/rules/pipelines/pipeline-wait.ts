import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineWait: DiagnosticRule = {
  code: "pipeline-wait",
  severity: "warning",
  title: "A wait that outlasts the run",
  why: "Waiting counts against the time that a run may take, so the run would time out.",
  fix: "Raise `limits.timeout`, or wait for less.",
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
