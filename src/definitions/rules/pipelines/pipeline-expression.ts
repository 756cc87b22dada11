import type { DiagnosticRule } from "../rule.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineExpression: DiagnosticRule = {
  code: "pipeline-expression",
  severity: "error",
  title: "An invalid template or expression in a step",
  why: "The step would fail when its turn comes.",
  fix: "Correct the template or expression at the place that the message names.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - {id: build, agent: worker, prompt: Build it.}\n  - {id: test, agent: worker, prompt: Test it., when: steps.build.output ==}\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check: (subject, surroundings) => reportPipeline(subject, surroundings, "pipeline-expression"),
}
