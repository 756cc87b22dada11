import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineType: DiagnosticRule = {
  code: "pipeline-type",
  severity: "error",
  title: "A value of the wrong kind for a step",
  why: "The step would fail when its turn comes. A `map` needs a list. A step has a `value` only if its agent has an `output` schema; its `output` is always text.",
  fix: "Use a value of the right kind, or give the agent an `output` schema.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\ninputs: {version: string}\npipeline:\n  - id: build\n    map: inputs.version\n    agent: worker\n    prompt: Build {{ item }}.\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-type"),
}
