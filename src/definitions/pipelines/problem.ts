import type { CodedProblem } from "../../ground/diagnostics/problem.ts"

/** A problem of a pipeline. Its path begins with `inputs`, `steps` or `outputs`. */
export type PipelineProblem = Omit<
  CodedProblem<
    | "pipeline-agent"
    | "pipeline-duplicate"
    | "pipeline-expression"
    | "pipeline-invalid"
    | "pipeline-name"
    | "pipeline-type"
    | "pipeline-unbounded"
    | "pipeline-wait"
  >,
  "severity"
>
