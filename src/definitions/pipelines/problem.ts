import type { CodedProblem } from "../../ground/diagnostics/problem.ts"

/** Something that is wrong with a pipeline, and where: the first part of its path is `inputs`, `steps` or `outputs`. */
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
